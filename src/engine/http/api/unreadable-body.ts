import type { Cites } from '../../contract/cites.js'
import { type Contract, filesOf } from '../../contract/contract.js'
import type { Conventions } from '../../contract/conventions.js'
import { quote } from '../../contract/wording.js'
import { type Violation, violationOf } from '../../judge/violation.js'

/** A body that cannot be read as a form. */
function unreadable(
  { form, unreadableBody }: Conventions,
  code: string,
  message: string,
  fix: string,
  cites: Cites = [form, unreadableBody],
  where = 'body',
) {
  return violationOf({ code, message, where, fix }, cites)
}

const SET_NO_TYPE =
  'Remove the Content-Type header. With FormData or -F, the client sets multipart/form-data and its boundary itself.'

export function noBoundary(conventions: Conventions): Violation {
  return unreadable(conventions, 'no-boundary', 'The Content-Type multipart/form-data has no boundary.', SET_NO_TYPE)
}

export function cutOff(conventions: Conventions): Violation {
  const message =
    'The multipart body ends before its closing boundary: it was cut off, its lines do not end in CRLF, or its boundary differs from the one in the Content-Type.'
  return unreadable(conventions, 'cut-off-body', message, SET_NO_TYPE)
}

export function unreadablePart(conventions: Conventions, message: string, where?: string): Violation {
  const fix = 'Send only the fields that the API document names, without a Content-Type of their own.'
  return unreadable(conventions, 'unreadable-part', message, fix, [conventions.unreadableBody], where)
}

/** A coding such as gzip or base64 is not decoded. */
export function encoded(conventions: Conventions, header: string, coding: string, part?: string): Violation {
  const [code, what, where] =
    part === undefined ? ['encoded-body', 'body', 'body'] : ['encoded-part', `part ${quote(part)}`, `form.${part}`]
  const message = `The ${what} has the ${header} ${quote(coding)}, which is not decoded.`
  return unreadable(conventions, code, message, `Send it as it is, without ${header}.`, [conventions.encodings], where)
}

/** Files are often sent as the body itself. */
const FILE_TYPE = /^(?:image\/|application\/(?:pdf|octet-stream))/i

export function notMultipart(type: string | undefined, text: string | null, contract: Contract): Violation {
  const { conventions } = contract
  if (text === '[object FormData]') {
    const message = "The body is the text '[object FormData]': this FormData is not the one that this fetch knows."
    const fix = 'Take FormData and fetch from the same place: both are global in Node and in browsers.'
    return unreadable(conventions, 'form-as-text', message, fix)
  }
  const sendForm = 'Send a FormData object (or use curl -F), and do not set the Content-Type yourself.'
  if (type === undefined) {
    return unreadable(
      conventions,
      'no-content-type',
      'The body has no Content-Type: send multipart/form-data.',
      sendForm,
    )
  }
  const [file] = FILE_TYPE.test(type) ? filesOf(contract) : []
  const message = `The body is sent as ${quote(type)}, but the operation takes multipart/form-data.`
  const fix = file === undefined ? sendForm : `Send the file as a part of a form: -F '${file}=@FILE'.`
  return unreadable(conventions, 'not-multipart', message, fix)
}
