import type { TSchema } from '@sinclair/typebox'
import { formats } from '../contract/check.js'
import { type Contract, changesRecord } from '../contract/contract.js'
import type { Form, FormValue, UploadedFile } from '../contract/fields.js'
import { quote } from '../contract/wording.js'
import { isDocumented, type NamedPart, namesInJson, unknownName } from './names.js'
import type { ReceivedRequest } from './received-request.js'
import { repairValue } from './repair.js'
import {
  cleaned,
  INVISIBLE,
  isBlank,
  isDecoded,
  isPlaceholder,
  jsonIn,
  PREFERENCES,
  preferenceMeant,
  readAsUtf8,
} from './suspicious.js'
import { TOKEN_KEY } from './token.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The violations of a request that its schema does not find: unknown names and likely mistakes. */
export function lint(request: ReceivedRequest, contract: Contract): readonly Violation[] {
  const { params, query, url, headers } = request
  const form = request.form ?? {}
  const found = [
    ...unexpectedBody(request, contract),
    ...(headers.prefer !== undefined || /[?&]_/.test(url) ? misspelledPreferences(request) : []),
    ...unencodedPlus(url, contract),
    ...unknownNames(query, contract, 'query'),
    ...unknownNames(form, contract, 'form'),
    ...oddValues(params, contract, 'path'),
    ...oddValues(query, contract, 'query'),
    ...notUuid(query, contract),
    ...oddValues(form, contract, 'form'),
    ...oddFiles(form),
  ]
  const isElsewhere = found.some(({ code }) => /^(?:misplaced|misnamed)-/.test(code))
  return isElsewhere ? found : [...noFields(request, contract), ...found]
}

function unexpectedBody({ text, headers }: ReceivedRequest, contract: Contract): readonly Violation[] {
  // The body of a GET is not read.
  const isAnnounced = Number(headers['content-length'] ?? 0) > 0
  if (contract.form !== undefined || (text === null && !isAnnounced)) return []
  const message = `${contract.id} takes no request body, but one was sent.`
  const fix = 'Send the parameters only in the path and query.'
  return [violationOf({ code: 'unexpected-body', message, where: 'body', fix }, [contract.cites[0]])]
}

function notUuid(query: Readonly<Record<string, unknown>>, contract: Contract): readonly Violation[] {
  const found: Violation[] = []
  for (const name in contract.query.properties) {
    const value = query[name]
    if (contract.query.properties[name]?.['x-resembles'] !== 'uuid' || typeof value !== 'string') continue
    if (value === '' || formats.uuid.test(value) || isPlaceholder(value)) continue
    // What is around it is told apart.
    if (formats.uuid.test(cleaned(value.slice(0, LONGEST_TEXT)))) continue
    const message = `The query parameter '${name}' is ${quote(value)}, which is not a UUID.`
    const meant = repairValue(value, contract.query.properties[name] as TSchema)
    const fix = `Send the UUID: ?${name}=${typeof meant === 'string' ? meant : '…'}`
    found.push(suspicionOf({ code: 'not-a-uuid', message, where: `query.${name}`, fix }))
  }
  return found
}

function unencodedPlus(url: string, { query }: Contract): readonly Violation[] {
  if (!url.includes('+')) return []
  const emails = Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
  return emails.flatMap((name) => {
    const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
    if (pair === undefined) return []
    return suspicionOf({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query, it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
    })
  })
}

function unknownNames(sent: Readonly<Record<string, unknown>>, contract: Contract, part: NamedPart): Violation[] {
  const beside = Object.keys(sent)
  const known = contract[part]?.properties ?? {}
  const unknown = beside.filter(
    (name) =>
      !Object.hasOwn(known, name) || (typeof sent[name] === 'object' && !isDocumented(name, sent, contract, part)),
  )
  if (unknown.length === 0) return []
  const notTaken = contract[part]?.['x-not-taken'] ?? {}
  return unknown
    .filter((name) => namesInJson(name, sent[name], contract, part).length === 0)
    .filter((name) => part === 'form' || !(TOKEN_KEY.test(name) || ownNameMeant(name) !== undefined))
    .map((name) => {
      const cites = Object.hasOwn(notTaken, name) ? notTaken[name] : undefined
      return unknownName(contract, { part, name, value: sent[name] }, { beside, ...(cites && { cites }) })
    })
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

/** Characters of a value that are looked at. */
const LONGEST_TEXT = 1_000

type ValuePart = 'path' | NamedPart

function oddValues(values: Readonly<Record<string, unknown>>, contract: Contract, part: ValuePart): Violation[] {
  const found: Violation[] = []
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (typeof value === 'string') found.push(...oddValue(name, value, contract, part))
  }
  return found
}

/** A path variable as routers write it. */
const PATH_VARIABLE = /^:[A-Za-z]\w*$/

function oddValue(name: string, value: string, contract: Contract, part: ValuePart): readonly Violation[] {
  const where = `${part}.${name}`
  if (part !== 'path' && jsonIn(value) !== undefined) {
    const message = `'${name}' is JSON, ${quote(value)}: each of its values must be sent separately.`
    const [own] = namesInJson(name, value, contract, part)
    const single =
      own === undefined || own.name === name ? `; a single value without JSON: '${name}=…'` : `, such as '${own.name}'`
    const fix = `Send each value under its own name${single}.`
    return [suspicionOf({ code: 'json-value', message, where, fix })]
  }
  if (!isPlaceholder(value) && !(part === 'path' && PATH_VARIABLE.test(value)))
    return MAY_BE_ODD.test(value) ? oddText(name, value, where) : []
  const message = `'${name}' is ${quote(value)}: the client probably sent an unset variable.`
  const fix = `Send the value of '${name}', or leave it out if there is none.`
  return [suspicionOf({ code: 'placeholder-value', message, where, fix })]
}

/** Most texts are plain, and need no closer look. */
const MAY_BE_ODD = /[^\u0000-\u007f]|^\s|\s$/

/** A text that nobody means to send: what its code says happened to it. */
function oddText(name: string, whole: string, where: string): readonly Violation[] {
  const value = whole.slice(0, LONGEST_TEXT)
  if (isBlank(value)) return []
  const suspicion = (code: string, what: string, fix: string) => [
    suspicionOf({ code, message: `'${name}' is ${quote(value)}: ${what}.`, where, fix }),
  ]
  if (value.includes('\ufffd'))
    return suspicion(
      'replaced-character',
      'a character of it was lost, and U+FFFD stands there',
      'Send the text in UTF-8.',
    )
  const meant = readAsUtf8(value)
  if (meant !== undefined)
    return suspicion(
      'misread-text',
      `${quote(meant)} in UTF-8 was read in another encoding`,
      `Send ${quote(meant)} in UTF-8.`,
    )
  if (INVISIBLE.test(value))
    return suspicion('invisible-character', 'it holds an invisible character', 'Leave out what cannot be seen.')
  if (whole.trim() !== whole) return suspicion('padded-value', 'there is white space around it', 'Send it without.')
  return []
}

function oddFiles(form: Form): Violation[] {
  const found: Violation[] = []
  for (const [name, value] of Object.entries(form)) {
    for (const one of Array.isArray(value) ? value : [value as FormValue])
      if (typeof one !== 'string') found.push(...oddFile(name, one))
  }
  return found
}

/** A path, as browsers and file pickers give them, or the address of a file on a device, in a page or on the web. */
const PATH =
  /^(?:[A-Za-z]:[\\/]|\.{0,2}\/[\w.-]+[/.]|(?:file|content|ph|assets-library|https?):\/\/|blob:|\{"(?:uri|path)":)/

/** The beginning of a data URL, or of an image or a PDF in base64. */
const FILE_AS_TEXT = /^(?:data:[\w.+-]+\/[\w.+-]+[;,]|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|PHN2Zy)/

function oddFile(name: string, { filename, content }: UploadedFile): readonly Violation[] {
  const where = `form.${name}`
  const beginning = Buffer.from(content.buffer, content.byteOffset, Math.min(64, content.byteLength)).toString('latin1')
  if (content.byteLength < 64 && isPlaceholder(beginning) && !/^[<{]/.test(beginning)) {
    const message = `'${name}' is the text ${quote(beginning)}, instead of a file: the client probably sent an unset variable.`
    return [suspicionOf({ code: 'placeholder-value', message, where, fix: `Send the bytes: -F '${name}=@FILE'.` })]
  }
  if (FILE_AS_TEXT.test(beginning)) {
    const message = `'${name}' is a file written as text, ${quote(beginning.slice(0, 24))}, instead of its bytes.`
    return [suspicionOf({ code: 'file-as-text', message, where, fix: `Send the bytes: -F '${name}=@FILE'.` })]
  }
  if (PATH.test(beginning)) {
    const message = `'${name}' is the path ${quote(beginning)}, instead of the file's bytes.`
    const fix = `Send the file itself, such as input.files[0]: -F '${name}=@FILE'.`
    return [suspicionOf({ code: 'path-as-file', message, where, fix })]
  }
  if (isDecoded(content)) {
    const message = `The bytes of '${name}' were read as text and written again, which destroyed them.`
    const fix = `Send the file as it is, without reading it as text: -F '${name}=@FILE'.`
    return [suspicionOf({ code: 'file-decoded', message, where, fix })]
  }
  if (filename !== '') return []
  const message = `The part '${name}' has no file name: most servers treat it as a text field.`
  return [suspicionOf({ code: 'nameless-file', message, where, fix: `Send it as a file: -F '${name}=@FILE'.` })]
}
