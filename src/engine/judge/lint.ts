import type { TSchema } from '@sinclair/typebox'
import { formats } from '../contract/check.js'
import { type Contract, changesRecord, filesOf } from '../contract/contract.js'
import type { Form, FormValue } from '../contract/fields.js'
import { lettersApart } from '../contract/nearest.js'
import { quote } from '../contract/wording.js'
import { escapedQueryIn, safeDecodeURIComponent } from './decode.js'
import { isFileContent, oddFile } from './file-text.js'
import { methodOverride } from './method-override.js'
import { findMeantName, isDocumented, type NamedPart, namesInside, unknownName } from './names.js'
import { PREFERENCES, preferenceMeant } from './preference-names.js'
import type { ReceivedRequest } from './received-request.js'
import { repairValue, sameLetters } from './repair.js'
import { cleaned, isPlaceholder, isPlain, isPrinted, jsonIn, LONGEST_TEXT, oddText } from './text.js'
import { mayHoldToken } from './token.js'
import { type Finding, suspicionOf, type ViolationDraft, violationOf } from './violation.js'

/** The violations of a request that its schema does not find: unknown names and likely mistakes. */
export function lint(request: ReceivedRequest, contract: Contract): readonly Finding[] {
  const { params, query, url, headers } = request
  const form = request.form ?? {}
  const found = [
    ...unexpectedBody(request, contract),
    ...(headers.prefer !== undefined || /[?&]_/.test(url) ? misspelledPreferences(request) : []),
    ...unreadMethod(request, contract),
    ...unencodedPlus(url, contract),
    ...unknownNames(query, contract, 'query', url),
    ...unknownNames(form, contract, 'form', url),
    ...oddValues(params, contract, 'path'),
    ...oddValues(query, contract, 'query'),
    ...unlikeDocumented(query, contract),
    ...oddValues(form, contract, 'form'),
    ...oddFiles(form),
  ]
  return found.some(({ explains }) => explains.length > 0) ? found : [...noFields(request, contract), ...found]
}

function note(draft: ViolationDraft, explains: readonly string[] = []): Finding {
  return { violation: suspicionOf(draft), explains }
}

function unexpectedBody({ text, headers }: ReceivedRequest, contract: Contract): readonly Finding[] {
  // The body of a GET is not read.
  const isAnnounced = Number(headers['content-length'] ?? 0) > 0
  if (contract.form !== undefined || (text === null && !isAnnounced)) return []
  const message = `${contract.id} takes no request body, but one was sent.`
  const fix = 'Send the parameters only in the path and query.'
  const found = { code: 'unexpected-body', message, where: 'body', fix }
  return [{ violation: violationOf(found, [contract.cites[0]]), explains: [] }]
}

/** Some frameworks read a method from other places. */
function unreadMethod(request: ReceivedRequest, { id, method }: Contract): readonly Finding[] {
  const other = methodOverride(request)
  if (other === undefined) return []
  const message = `'${other.name}' asks for ${quote(other.method)}, but only the method of the request counts: it is the ${method} of ${id}.`
  const fix = `Leave '${other.name}' out, and send the method itself.`
  return [note({ code: 'method-override', message, where: other.where, fix })]
}

/** Values that are nearly a documented one, or are not of the documented form, where the document allows any. */
function unlikeDocumented(query: ReceivedRequest['query'], contract: Contract): readonly Finding[] {
  const found: Finding[] = []
  for (const name in contract.query.properties) {
    const schema = contract.query.properties[name] as TSchema
    const { 'x-resembles': like } = schema
    const value = query[name]
    if (like === undefined || typeof value !== 'string' || value === '' || isPlaceholder(value)) continue
    // What is around it is told apart.
    const text = cleaned(value.slice(0, LONGEST_TEXT))
    const meant = repairValue(value, schema)
    if (like === 'uuid') {
      if (formats.uuid.test(text)) continue
      const message = `The query parameter '${name}' is ${quote(value)}, which is not a UUID.`
      const fix = `Send the UUID: ?${name}=${typeof meant === 'string' ? meant : '…'}`
      found.push(note({ code: 'not-a-uuid', message, where: `query.${name}`, fix }))
      continue
    }
    const near = like.find((one) => one !== text && (sameLetters(one, text) || lettersApart(one, text) <= MOST_APART))
    if (near === undefined || like.includes(text)) continue
    const message = `The query parameter '${name}' is ${quote(value)}: the document writes ${near}.`
    found.push(note({ code: 'misspelled-value', message, where: `query.${name}`, fix: `?${name}=${near}` }))
  }
  return found
}

/** Letters in which a value may differ from the one that was meant. */
const MOST_APART = 2

function unencodedPlus(url: string, { query }: Contract): readonly Finding[] {
  if (!url.includes('+')) return []
  const emails = Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
  return emails.flatMap((name) => {
    const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
    if (pair === undefined) return []
    return note({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query, it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
    })
  })
}

function unknownNames(
  sent: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: NamedPart,
  url: string,
): readonly Finding[] {
  const beside = Object.keys(sent)
  const known = contract[part]?.properties ?? {}
  const unknown = beside.filter(
    (name) =>
      !Object.hasOwn(known, name) || (typeof sent[name] === 'object' && !isDocumented(name, sent, contract, part)),
  )
  if (unknown.length === 0) return []
  const notTaken = contract[part]?.['x-not-taken'] ?? {}
  return unknown
    .filter((name) => !isOfOtherKind(name, sent[name], contract, part))
    .map((name) => {
      const split = part === 'query' && sent[name] === '' ? splitValue(name, contract, url) : undefined
      if (split !== undefined) return split
      const cites = Object.hasOwn(notTaken, name) ? notTaken[name] : undefined
      return unknownName(contract, { part, name, value: sent[name] }, { beside, ...(cites && { cites }) })
    })
}

/** True for names about which something else is said. */
function isOfOtherKind(name: string, value: unknown, contract: Contract, part: NamedPart): boolean {
  if (name === '_method' || namesInside(name, value, contract, part).length > 0) return true
  if (part === 'form') return typeof value === 'string' && isFileContent(value)
  return mayHoldToken(name) || ownNameMeant(name) !== undefined
}

/** What stands behind an `&` in a value, and looks like a parameter without a value. */
function splitValue(name: string, contract: Contract, url: string): Finding | undefined {
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
  return note({ code: 'unescaped-ampersand', message, where: `query.${name}`, fix })
}

function noFields({ form, unreadable }: ReceivedRequest, contract: Contract): readonly Finding[] {
  const isEmpty = form !== null && unreadable === null && Object.keys(form).length === 0
  if (!isEmpty || contract.form === undefined || !changesRecord(contract)) return []
  const names = Object.keys(contract.form.properties)
  const message = 'The request sends no field, so nothing is changed: its body may have got lost.'
  return [note({ code: 'no-fields', message, where: 'body', fix: `Send at least one of ${names.join(', ')}.` })]
}

/** The preference that a query parameter, such as `__cod` or `_code`, surely means. */
function ownNameMeant(name: string): string | undefined {
  const [, word = ''] = /^__?(\w+)(?:\[\])?$/.exec(name) ?? []
  // With one line before it, another parameter's name is likely.
  return name.startsWith('__') ? preferenceMeant(word) : PREFERENCES.find((one) => one === word.toLowerCase())
}

/** Preferences, in the header and the query, that are nearly ours. */
function misspelledPreferences({ headers: { prefer = '' }, query }: ReceivedRequest): readonly Finding[] {
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

function misspelled(where: string, sent: string, right: string): Finding {
  const message = `${quote(sent)} is no preference of the mock's, and has no effect.`
  return note({ code: 'misspelled-preference', message, where, fix: `Write ${right}.` })
}

type ValuePart = 'path' | NamedPart

function oddValues(values: Readonly<Record<string, unknown>>, contract: Contract, part: ValuePart): readonly Finding[] {
  const found: Finding[] = []
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (typeof value !== 'string' || isPlain(value)) continue
    const odd = oddValue(name, value, contract, part)
    if (odd !== undefined) found.push(odd)
  }
  return found
}

function oddValue(name: string, value: string, contract: Contract, part: ValuePart): Finding | undefined {
  const where = `${part}.${name}`
  if (part === 'path') {
    const inside = escapedQueryIn(value)
    if (inside !== undefined) return escapedQuery(where, name, Object.keys(inside.query))
  } else {
    const schema = schemaOf(contract, part, name)
    const inside = namesInside(name, value, contract, part)
    const isJson = jsonIn(value) !== undefined
    // Of a name without a meaning, it is enough to say that.
    if ((isJson || isPrinted(value)) && schema === undefined && inside.length === 0) return undefined
    if (isJson || inside.length > 0) return asDictionary(where, name, value, isJson, inside)
    if (part === 'form' && isFileContent(value)) return namelessFile(where, name, contract)
  }
  const own = schemaOf(contract, part, name)
  const takesWords = own === undefined || own['x-words'] === true
  const odd = oddText(value, { part, takesWords })
  if (odd === undefined) return undefined
  const message = `'${name}' is ${quote(value)}: ${odd.what}.`
  return note({ code: odd.code, message, where, fix: odd.fix(name) })
}

/** A value of a name that the document does not know may be any word. */
function schemaOf(contract: Contract, part: ValuePart, name: string): TSchema | undefined {
  const properties: Readonly<Record<string, TSchema>> =
    (part === 'path' ? contract.params : contract[part])?.properties ?? {}
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function escapedQuery(where: string, name: string, names: readonly string[]): Finding {
  const message = `'${name}' holds the '?' of the query, which was escaped with the path (%3F).`
  const fix = 'Escape each value of path and query, not the whole URL.'
  const explains = names.map((one) => `query.${one}`)
  return note({ code: 'escaped-query', message, where, fix }, explains)
}

function asDictionary(
  where: string,
  name: string,
  value: string,
  isJson: boolean,
  inside: ReturnType<typeof namesInside>,
): Finding {
  const [own] = inside
  const what = isJson ? `JSON, ${quote(value)}` : `${quote(value)}, a printed dictionary`
  const message = `'${name}' is ${what}: each of its values must be sent separately.`
  const single =
    own === undefined || own.name === name ? `; a single value without JSON: '${name}=…'` : `, such as '${own.name}'`
  const fix = `Send each value under its own name${single}.`
  const explains = inside.map((one) => `${one.part}.${one.name}`)
  return note({ code: isJson ? 'json-value' : 'printed-value', message, where, fix }, explains)
}

function namelessFile(where: string, name: string, contract: Contract): Finding {
  const [file = name] = filesOf(contract)
  const called = file === name ? '' : `: it is called '${file}', and needs one`
  const message = `A file without a file name was sent as ${quote(name)}${called}.`
  return note({ code: 'misnamed-field', message, where, fix: `Send it as a file: -F '${file}=@FILE'.` }, [
    `form.${file}`,
  ])
}

function oddFiles(form: Form): readonly Finding[] {
  const found: Finding[] = []
  for (const [name, value] of Object.entries(form)) {
    for (const one of Array.isArray(value) ? value : [value as FormValue]) {
      const odd = typeof one === 'string' ? undefined : oddFile(name, one)
      if (odd !== undefined) found.push(note({ ...odd, where: `form.${name}` }))
    }
  }
  return found
}
