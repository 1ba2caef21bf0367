import type { TSchema } from '@sinclair/typebox'
import { formats } from '../contract/check.js'
import { type Contract, changesRecord, filesOf } from '../contract/contract.js'
import type { Form, FormValue } from '../contract/fields.js'
import { quote } from '../contract/wording.js'
import { fieldsIn } from './body-fields.js'
import { escapedQueryIn, plusIn, safeDecodeURIComponent } from './decode.js'
import { isFileAsText, isFileContent, oddFile } from './file-text.js'
import { hasMethodHeader, methodOverride } from './method-override.js'
import { findMeantName, isDocumented, type NamedPart, namelessFile, namesInside, unknownName } from './names.js'
import { PREFERENCES, preferenceMeant } from './preference-names.js'
import type { ReceivedRequest } from './received-request.js'
import { nearlyDocumented, repairValue } from './repair.js'
import { isPlain, jsonIn, LONGEST_TEXT, oddText } from './text.js'
import { mayHoldToken } from './token.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The violations of a request that its schema does not find: unknown names and likely mistakes. */
export function lint(request: ReceivedRequest, contract: Contract): readonly Violation[] {
  const { params, query, url, headers } = request
  const form = request.form ?? {}
  const found = [
    ...unexpectedBody(request, contract),
    ...(headers.prefer !== undefined || /[?&]_/.test(url) ? misspelledPreferences(request) : []),
    ...unreadMethod(request, contract),
    ...(url.includes('+') ? unencodedPlus(url, contract) : []),
    ...unknownNames(query, contract, 'query', url),
    ...unknownNames(form, contract, 'form', url),
    ...oddValues(params, contract, 'path'),
    ...oddValues(query, contract, 'query'),
    ...oddValues(form, contract, 'form'),
    ...oddFiles(form, contract),
  ]
  const isElsewhere = found.some(({ about }) => about.explains.some((place) => place.startsWith('form.')))
  return isElsewhere ? found : [...noFields(request, contract), ...found]
}

function unexpectedBody({ text, headers }: ReceivedRequest, contract: Contract): readonly Violation[] {
  // The body of a GET is not read.
  const isAnnounced = Number(headers['content-length'] ?? 0) > 0
  if (contract.form !== undefined || (text === null && !isAnnounced)) return []
  const message = `${contract.id} takes no request body, but one was sent.`
  const fix = 'Send the parameters only in the path and query.'
  const found = { code: 'unexpected-body', message, where: 'body', fix }
  return [violationOf(found, [contract.cites[0]])]
}

/** Some frameworks read a method from other places. */
function unreadMethod(request: ReceivedRequest, { id, method }: Contract): readonly Violation[] {
  const { url, text } = request
  const form = request.form ?? (text?.includes('_method') ? fieldsIn(text, '') : undefined) ?? {}
  const isLikely = url.includes('_method') || '_method' in form
  const other = isLikely || hasMethodHeader(request) ? methodOverride({ ...request, form }) : undefined
  if (other === undefined) return []
  const message = `'${other.name}' asks for ${quote(other.method)}, but only the method of the request counts: it is the ${method} of ${id}.`
  const fix = `Leave '${other.name}' out, and send the method itself.`
  return [suspicionOf({ code: 'method-override', message, where: other.where, fix })]
}

/** A value that is nearly a documented one, or is not of the documented form, where the document allows any. */
function unlikeDocumented(name: string, value: string, { query }: Contract): Violation | undefined {
  const schema: TSchema | undefined = Object.hasOwn(query.properties, name) ? query.properties[name] : undefined
  const like = schema?.['x-resembles']
  if (schema === undefined || like === undefined || value === '') return undefined
  const where = `query.${name}`
  if (like === 'uuid') {
    if (formats.uuid.test(value)) return undefined
    const message = `The query parameter '${name}' is ${quote(value)}, which is not a UUID.`
    const meant = repairValue(value, schema)
    const fix = `Send the UUID: ?${name}=${typeof meant === 'string' ? meant : '…'}`
    return suspicionOf({ code: 'not-a-uuid', message, where, fix })
  }
  const near = nearlyDocumented(value.slice(0, LONGEST_TEXT), schema)
  if (near === undefined) return undefined
  const message = `The query parameter '${name}' is ${quote(value)}: the document writes ${near}.`
  return suspicionOf({ code: 'misspelled-value', message, where, fix: `?${name}=${near}` })
}

function unencodedPlus(url: string, { query }: Contract): readonly Violation[] {
  const emails = Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
  return emails.flatMap((name) => {
    const pair = plusIn(url, name)
    if (pair === undefined) return []
    return suspicionOf({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query, it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
      rank: 'certain',
    })
  })
}

function unknownNames(
  sent: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: NamedPart,
  url: string,
): readonly Violation[] {
  const beside = Object.keys(sent)
  const known = contract[part]?.properties ?? {}
  const unknown = beside.filter(
    (name) =>
      !Object.hasOwn(known, name) || (typeof sent[name] === 'object' && !isDocumented(name, sent, contract, part)),
  )
  if (unknown.length === 0) return []
  const notTaken = contract[part]?.['x-not-taken'] ?? {}
  return unknown
    .slice(0, MOST_UNKNOWN)
    .filter((name) => !isOfOtherKind(name, sent[name], contract, part))
    .map((name) => {
      const split = part === 'query' && sent[name] === '' ? splitValue(name, contract, url) : undefined
      if (split !== undefined) return split
      const cites = Object.hasOwn(notTaken, name) ? notTaken[name] : undefined
      return unknownName(contract, { part, name, value: sent[name] }, { beside, ...(cites && { cites }) })
    })
}

/** Undocumented names of a request that are judged: the journal keeps fewer violations. */
const MOST_UNKNOWN = 100

/** True for names about which something else is said. */
function isOfOtherKind(name: string, value: unknown, contract: Contract, part: NamedPart): boolean {
  if (name === '_method' || namesInside(name, value, contract, part).length > 0) return true
  if (part === 'form') {
    const takesFile = filesOf(contract).size > 0
    return takesFile && typeof value === 'string' && (isFileContent(value) || isFileAsText(value))
  }
  return mayHoldToken(name) || ownNameMeant(name) !== undefined
}

/** What stands behind an `&` in a value, and looks like a parameter without a value. */
function splitValue(name: string, contract: Contract, url: string): Violation | undefined {
  if (findMeantName(name, '', contract, 'query').kind !== 'unknown') return undefined
  const pairs = (url.split(/\?(.*)/s)[1] ?? '').split('&')
  const decoded = (text: string) => safeDecodeURIComponent(text.replaceAll('+', ' '))
  const at = pairs.findIndex((pair) => decoded(pair) === name)
  const before = pairs.slice(0, Math.max(at, 0)).findLast((pair) => pair.includes('='))
  const [owner = '', value = ''] = (before ?? '').split('=').map(decoded)
  const schema: TSchema | undefined = Object.hasOwn(contract.query.properties, owner)
    ? contract.query.properties[owner]
    : undefined
  if (schema?.type !== 'string' || schema.enum !== undefined || schema.format !== undefined) return undefined
  const message = `${quote(name)} stands behind an '&' that is not escaped: it ends the value of '${owner}', ${quote(value)}.`
  const whole = encodeURIComponent(`${value}&${name}`)
  const fix = `Escape it, as in ?${encodeURIComponent(owner)}=${whole}; or leave ${quote(name)} out if it is a parameter of its own.`
  const about = { explains: [`query.${owner}`], isRepairable: false }
  return suspicionOf({ code: 'unescaped-ampersand', message, where: `query.${name}`, fix, ...about })
}

function noFields({ form, unreadable }: ReceivedRequest, contract: Contract): readonly Violation[] {
  const isEmpty = form !== null && unreadable === null && Object.keys(form).length === 0
  if (!isEmpty || contract.form === undefined || !changesRecord(contract)) return []
  const names = Object.keys(contract.form.properties)
  const message = 'The request sends no field, so nothing is changed: its body may have got lost.'
  return [suspicionOf({ code: 'no-fields', message, where: 'body', fix: `Send at least one of ${names.join(', ')}.` })]
}

/** The preference that a query parameter, such as `__cod` or `_code`, surely means. */
function ownNameMeant(name: string): string | undefined {
  const [, word = ''] = /^__?(\w+)(?:\[\])?$/.exec(name) ?? []
  // With one line before it, another parameter's name is likely.
  return name.startsWith('__') ? preferenceMeant(word) : PREFERENCES.find((one) => one === word.toLowerCase())
}

/** Preferences, in the header and the query, that are nearly ours. */
function misspelledPreferences({ headers: { prefer = '' }, query }: ReceivedRequest): readonly Violation[] {
  const pieces = String(prefer).slice(0, LONGEST_TEXT).split(',').slice(0, MOST_PREFERENCES)
  const inHeader = pieces.flatMap((piece) => {
    const [name = '', value = ''] = piece.trim().split(/ *[=:] */)
    const isRead = PREFERENCES.some((one) => one === name.toLowerCase()) && !piece.includes(`${name}:`)
    const meant = /^\d{3}$/.test(name) ? `code=${name}` : preferenceMeant(name)
    if (meant === undefined || isRead) return []
    return misspelled('headers.prefer', piece.trim(), `Prefer: ${meant}${value === '' ? '' : `=${value}`}`)
  })
  const inQuery = Object.entries(query).flatMap(([name, value]) => {
    const meant = ownNameMeant(name)
    return meant === undefined
      ? []
      : misspelled(`query.${name}`, name, `?__${meant}=${encodeURIComponent(String(value))}`)
  })
  return [...inHeader, ...inQuery]
}

const MOST_PREFERENCES = 20

function misspelled(where: string, sent: string, right: string): Violation {
  const message = `${quote(sent)} is no preference of the mock's, and has no effect.`
  return suspicionOf({ code: 'misspelled-preference', message, where, fix: `Write ${right}.` })
}

type ValuePart = 'path' | NamedPart

function oddValues(
  values: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: ValuePart,
): readonly Violation[] {
  const found: Violation[] = []
  let unknown = 0
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (typeof value !== 'string') continue
    const isOdd = !isPlain(value)
    if (isOdd && schemaOf(contract, part, name) === undefined && ++unknown > MOST_UNKNOWN) continue
    const strange = isOdd ? oddValue(name, value, contract, part) : undefined
    const odd = strange ?? (part === 'query' ? unlikeDocumented(name, value, contract) : undefined)
    if (odd !== undefined) found.push(odd)
  }
  return found
}

function oddValue(name: string, value: string, contract: Contract, part: ValuePart): Violation | undefined {
  const where = `${part}.${name}`
  const schema = schemaOf(contract, part, name)
  if (part === 'path') {
    const inside = escapedQueryIn(value)
    if (inside !== undefined) return escapedQuery(where, name, Object.keys(inside.query))
  } else {
    const inside = namesInside(name, value, contract, part)
    const isJson = jsonIn(value) !== undefined
    if ((isJson && schema !== undefined) || inside.length > 0) return asDictionary(where, name, value, isJson, inside)
    const [file] = part === 'form' ? filesOf(contract) : []
    if (file !== undefined && file !== name) {
      if (isFileContent(value)) return namelessFile(name, file, where)
      if (schema === undefined && isFileAsText(value)) return fileAsText(where, name, value, file)
    }
  }
  // Of another name, it is enough to say that.
  if (schema === undefined) return undefined
  const odd = oddText(value, { part, takesWords: schema['x-words'] === true })
  if (odd === undefined) return undefined
  const message = `'${name}' is ${quote(value)}: ${odd.what}.`
  const { code, rank, isLost } = odd
  const about = { rank, isRepairable: !isLost, explains: isLost ? [where] : [] }
  return suspicionOf({ code, message, where, fix: odd.fix(name), ...about })
}

function schemaOf(contract: Contract, part: ValuePart, name: string): TSchema | undefined {
  const properties: Readonly<Record<string, TSchema>> =
    (part === 'path' ? contract.params : contract[part])?.properties ?? {}
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function escapedQuery(where: string, name: string, names: readonly string[]): Violation {
  const message = `'${name}' holds the '?' of the query, which was escaped with the path (%3F).`
  const fix = 'Escape each value of path and query, not the whole URL.'
  const explains = names.map((one) => `query.${one}`)
  return suspicionOf({ code: 'escaped-query', message, where, fix, explains })
}

function asDictionary(
  where: string,
  name: string,
  value: string,
  isJson: boolean,
  inside: ReturnType<typeof namesInside>,
): Violation {
  const [own] = inside
  const what = isJson ? `JSON, ${quote(value)}` : `${quote(value)}, a printed dictionary`
  const message = `'${name}' is ${what}: each of its values must be sent separately.`
  const single =
    own === undefined || own.name === name ? `; a single value without JSON: '${name}=…'` : `, such as '${own.name}'`
  const fix = `Send each value under its own name${single}.`
  const explains = inside.map((one) => `${one.part}.${one.name}`)
  return suspicionOf({
    code: isJson ? 'json-value' : 'printed-value',
    message,
    where,
    fix,
    explains,
    isRepairable: isJson,
  })
}

function fileAsText(where: string, name: string, value: string, file: string): Violation {
  const message = `${quote(name)} is a file written as text, ${quote(value.slice(0, 24))}: it is called '${file}', and sent as its bytes.`
  const fix = `Send the bytes: -F '${file}=@FILE'.`
  return suspicionOf({ code: 'file-as-text', message, where, fix, explains: [`form.${file}`], isRepairable: false })
}

function oddFiles(form: Form, contract: Contract): readonly Violation[] {
  const found: Violation[] = []
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') continue
    // Of another name, it is enough to say that.
    if (!filesOf(contract).has(name)) continue
    for (const one of Array.isArray(value) ? value : [value as FormValue]) {
      const odd = typeof one === 'string' ? undefined : oddFile(name, one)
      const where = `form.${name}`
      const explains = odd?.isTaken ? [] : [where]
      if (odd !== undefined) found.push(suspicionOf({ ...odd, where, explains, isRepairable: false }))
    }
  }
  return found
}
