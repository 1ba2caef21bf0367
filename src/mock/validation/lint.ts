import type { Form, FormValue, UploadedFile } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { quote } from '../text/wording.js'
import { formats } from './check.js'
import { type NamedPart, unknownName } from './names.js'
import type { ReceivedRequest } from './received-request.js'
import { isPlaceholder, jsonIn } from './suspicious.js'
import { TOKEN_KEY } from './token.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The violations of a request that its schema does not find: unknown names and likely mistakes. */
export function lint(request: ReceivedRequest, contract: Contract): readonly Violation[] {
  const { params, query, url } = request
  const form = request.form ?? {}
  return [
    ...unexpectedBody(request, contract),
    ...unencodedPlus(url, contract),
    ...unknownNames(query, contract, 'query'),
    ...unknownNames(form, contract, 'form'),
    ...oddValues(params, 'path'),
    ...oddValues(query, 'query'),
    ...notUuid(query, contract),
    ...oddValues(form, 'form'),
    ...oddFiles(form),
  ]
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
  const names = Object.keys(contract.query.properties)
  return names.flatMap((name) => {
    const value = query[name]
    if (contract.query.properties[name]?.['x-resembles'] !== 'uuid' || typeof value !== 'string') return []
    if (value === '' || formats.uuid.test(value) || isPlaceholder(value)) return []
    const message = `The query parameter '${name}' is ${quote(value)}, which is not a UUID.`
    return suspicionOf({ code: 'not-a-uuid', message, where: `query.${name}`, fix: `Send the UUID: ?${name}=…` })
  })
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
  return beside
    .filter((name) => !Object.hasOwn(contract[part]?.properties ?? {}, name))
    .filter((name) => part === 'form' || !TOKEN_KEY.test(name))
    .map((name) => unknownName(contract, { part, name, value: sent[name] }, { beside }))
}

type ValuePart = 'path' | NamedPart

function oddValues(values: Readonly<Record<string, unknown>>, part: ValuePart): Violation[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? oddValue(name, value, part) : [],
  )
}

/** A path variable as routers write it. */
const PATH_VARIABLE = /^:[A-Za-z]\w*$/

function oddValue(name: string, value: string, part: ValuePart): readonly Violation[] {
  const where = `${part}.${name}`
  if (part !== 'path' && jsonIn(value) !== undefined) {
    const message = `'${name}' is JSON, ${quote(value)}: each of its values must be sent separately.`
    const fix = `Send each value under its own name; a single value without JSON: '${name}=…'.`
    return [suspicionOf({ code: 'json-value', message, where, fix })]
  }
  if (!isPlaceholder(value) && !(part === 'path' && PATH_VARIABLE.test(value))) return []
  const message = `'${name}' is ${quote(value)}: the client probably sent an unset variable.`
  const fix = `Send the value of '${name}', or leave it out if there is none.`
  return [suspicionOf({ code: 'placeholder-value', message, where, fix })]
}

function oddFiles(form: Form): Violation[] {
  const found: Violation[] = []
  for (const [name, value] of Object.entries(form)) {
    for (const one of [value as FormValue].flat()) if (typeof one !== 'string') found.push(...oddFile(name, one))
  }
  return found
}

/** The beginning of a data URL, or of an image or a PDF in base64. */
const FILE_AS_TEXT = /^(?:data:[\w.+-]+\/[\w.+-]+[;,]|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|PHN2Zy)/

function oddFile(name: string, { filename, content }: UploadedFile): readonly Violation[] {
  const where = `form.${name}`
  const beginning = Buffer.from(content.buffer, content.byteOffset, Math.min(64, content.byteLength)).toString('latin1')
  if (FILE_AS_TEXT.test(beginning)) {
    const message = `'${name}' is a file written as text, ${quote(beginning.slice(0, 24))}, instead of its bytes.`
    return [suspicionOf({ code: 'file-as-text', message, where, fix: `Send the bytes: -F '${name}=@FILE'.` })]
  }
  if (filename !== '') return []
  const message = `The part '${name}' has no file name: most servers treat it as a text field.`
  return [suspicionOf({ code: 'nameless-file', message, where, fix: `Send it as a file: -F '${name}=@FILE'.` })]
}
