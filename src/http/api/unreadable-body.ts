import type { Cites } from '../../../schemas/cites.js'
import { type Contract, filesOf } from '../../../schemas/contract.js'
import { quote } from '../../text/wording.js'
import { type Violation, violationOf } from '../../validation/violation.js'

/** A body that cannot be read as a form (I-13). */
export class UnreadableBody extends Error {
  readonly violation: Violation

  constructor(code: string, message: string, fix: string, { cites = NO_FORM, where = 'body' }: About = {}) {
    super(message)
    this.violation = violationOf({ code, message, where, fix }, cites)
  }
}

interface About {
  readonly cites?: Cites
  readonly where?: string
}

const NO_FORM: Cites = ['S0.2', 'I-13']
const SET_NO_TYPE =
  'Remove the Content-Type header. With FormData or -F, the client sets multipart/form-data and its boundary itself.'

export function noBoundary(): UnreadableBody {
  return new UnreadableBody('no-boundary', 'The Content-Type multipart/form-data has no boundary.', SET_NO_TYPE)
}

export function cutOff(): UnreadableBody {
  const message =
    'The multipart body ends before its closing boundary: it was cut off, its lines do not end in CRLF, or its boundary differs from the one in the Content-Type.'
  return new UnreadableBody('cut-off-body', message, SET_NO_TYPE)
}

export function unreadablePart(message: string, where?: string): UnreadableBody {
  const fix = 'Send only the fields that the API document names, without a Content-Type of their own.'
  return new UnreadableBody('unreadable-part', message, fix, { cites: ['I-13'], ...(where && { where }) })
}

/** A coding such as gzip or base64 is not decoded (I-24). */
export function encoded(header: string, coding: string, part?: string): UnreadableBody {
  const [code, what, where] =
    part === undefined ? ['encoded-body', 'body', 'body'] : ['encoded-part', `part ${quote(part)}`, `form.${part}`]
  const message = `The ${what} has the ${header} ${quote(coding)}, which is not decoded.`
  return new UnreadableBody(code, message, `Send it as it is, without ${header}.`, { cites: ['I-24'], where })
}

/** Files are often sent as the body itself. */
const FILE_TYPE = /^(?:image\/|application\/(?:pdf|octet-stream))/i

export function notMultipart(type: string | undefined, contract: Contract): UnreadableBody {
  const sendForm = 'Send a FormData object (or use curl -F), and do not set the Content-Type yourself.'
  if (type === undefined) {
    return new UnreadableBody('no-content-type', 'The body has no Content-Type: send multipart/form-data.', sendForm)
  }
  const [file] = FILE_TYPE.test(type) ? filesOf(contract) : []
  const message = `The body is sent as ${quote(type)}, but the operation takes multipart/form-data.`
  const fix = file === undefined ? sendForm : `Send the file as a part of a form: -F '${file}=@FILE'.`
  return new UnreadableBody('not-multipart', message, fix)
}
