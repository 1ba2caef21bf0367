import type { Cites } from '../../contract/cites.js'
import { type Contract, fileFieldsOf } from '../../contract/contract.js'
import type { Conventions } from '../../contract/conventions.js'
import { quote } from '../../contract/wording.js'
import { isFileAsText } from '../../judge/file-text.js'
import { type Violation, violationOf } from '../../judge/violation.js'

function unreadableViolation(
  { form, unreadableBody }: Conventions,
  code: string,
  message: string,
  fix: string,
  cites: Cites = [form, unreadableBody],
  where = 'body',
) {
  return violationOf({ code, message, where, fix, isRepairable: where === 'body' }, cites)
}

const REMOVE_CONTENT_TYPE =
  'Remove the Content-Type header. With FormData or -F, the client sets multipart/form-data and its boundary itself.'

export function wrongBoundary(conventions: Conventions, boundary: string): Violation {
  const [code, message] =
    boundary === ''
      ? ['no-boundary', 'The Content-Type multipart/form-data has no boundary.']
      : ['wrong-boundary', `The body does not contain the boundary ${quote(boundary)} of its Content-Type.`]
  return unreadableViolation(conventions, code, message, REMOVE_CONTENT_TYPE)
}

export function truncatedBody(conventions: Conventions): Violation {
  const message =
    'The multipart body ends before its closing boundary: it was cut off, its Content-Length counts characters instead of bytes, or its lines do not end in CRLF.'
  const fix =
    'Let FormData or curl -F write body and Content-Type; otherwise end each line with CRLF, and the body with --BOUNDARY--.'
  return unreadableViolation(conventions, 'cut-off-body', message, fix)
}

export function mayBeForm(body: Buffer): boolean {
  return body.byteLength === 0 || /^\s*--/.test(body.toString('latin1', 0, 10))
}

export function unreadablePart(conventions: Conventions, message: string, where?: string): Violation {
  const fix =
    where === undefined
      ? 'Send only the fields that the API document names.'
      : 'Send the field in UTF-8, without a Content-Type for its part.'
  return unreadableViolation(conventions, 'unreadable-part', message, fix, [conventions.unreadableBody], where)
}

export function encodedBody(conventions: Conventions, header: string, coding: string, part?: string): Violation {
  const [code, what, where] =
    part === undefined ? ['encoded-body', 'body', 'body'] : ['encoded-part', `part ${quote(part)}`, `form.${part}`]
  const message = `The ${what} has the ${header} ${quote(coding)}, which the server does not decode.`
  const fix = `Send the ${what} as it is, and remove ${header}.`
  return unreadableViolation(conventions, code, message, fix, [conventions.encodings], where)
}

const FILE_TYPE = /^(?:image\/|application\/(?:pdf|octet-stream))/i

const SEND_FORM = 'Send a FormData object (or use curl -F), and do not set the Content-Type yourself.'

const BODY_KINDS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^%PDF-|^.PNG\r\n|^GIF8|^RIFF|^\ufffd{3}|^\u001f\ufffd|^PK\u0003\u0004|^\s*<(?:\?xml[^<]*<)?svg/s, "a file's bytes"],
  [/^\s*(?:[[{]\s*(?:["{[\]}\d]|$)|(?:".*"|null|true|false|-?\d+)\s*$)/s, 'JSON'],
  [/^[\w.%+*[\]-]+=[^\s&]*(?:&|$)|^[\w.%+*[\]-]+=[^&]*&[\w.%+*[\]-]+=/, 'URL-encoded'],
  [/^\[object \w+\]$/, 'a printed object'],
]

export function notMultipart(type: string | undefined, text: string | null, contract: Contract): Violation {
  const { conventions } = contract
  if (text === '[object FormData]') {
    const message = "The body is the text '[object FormData]': FormData and fetch come from different libraries."
    const fix = 'Take FormData and fetch from the same place: both are global in Node and in browsers.'
    return unreadableViolation(conventions, 'form-as-text', message, fix)
  }
  if (type === undefined) {
    const message = 'The body has no Content-Type: send multipart/form-data.'
    return unreadableViolation(conventions, 'no-content-type', message, SEND_FORM)
  }
  const isFile = isFileAsText(text ?? '')
  const kind = isFile ? 'a file written as text' : BODY_KINDS.find(([pattern]) => pattern.test(text ?? ''))?.[1]
  const isLabelled = /^multipart\/form-data/i.test(type)
  const isFileBody = isFile || kind === BODY_KINDS[0]?.[1]
  const [file] = FILE_TYPE.test(type) || (isLabelled && isFileBody) ? fileFieldsOf(contract) : []
  const fix = file === undefined ? SEND_FORM : `Send the file as a part of a form: -F '${file}=@FILE'.`
  const message = isLabelled
    ? `The body is ${kind ?? 'text'}, but its Content-Type is multipart/form-data.`
    : `The body is sent as ${quote(type)}, but the operation takes multipart/form-data.`
  return unreadableViolation(conventions, 'not-multipart', message, fix)
}
