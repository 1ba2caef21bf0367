import type { Cites } from '../../../schemas/cites.js'
import type { Form } from '../../../schemas/common.js'
import { type Contract, filesOf } from '../../../schemas/contract.js'
import { quote } from '../../text/wording.js'
import { type Violation, violationOf } from '../../validation/violation.js'

const SET_NO_TYPE =
  'Remove the Content-Type header. With FormData or -F, the client sets multipart/form-data and its boundary itself.'
const DECLARE =
  'Give every part a header such as: Content-Disposition: form-data; name="file"; filename="signature.png"'
/** Not the form that the document asks for. */
const NO_FORM: Cites = ['S0.2', 'I-13']
/** Types of files, which are often sent as the body itself. */
const FILE_TYPE = /^(?:image\/|application\/(?:pdf|octet-stream))/i
export const LONGEST_NAME = 1_000
export const MOST_PARTS = 1_000

/** What a violation of a form is about. */
interface About {
  readonly cites?: Cites
  readonly where?: string
}

/** A body that cannot be read as a form (I-13). */
export class UnreadableBody extends Error {
  readonly violation: Violation

  constructor(code: string, message: string, fix: string, { cites = NO_FORM, where = 'body' }: About = {}) {
    super(message)
    this.violation = violationOf({ code, message, where, fix }, cites)
  }
}

/** What was read of a body: a form, or why it is none. */
export type ReadForm = (
  | { readonly form: Form; readonly unreadable: null }
  | { readonly form: null; readonly unreadable: UnreadableBody }
) & {
  /** The body as it was received, if it is kept. */
  readonly bytes: Buffer | null
}

interface Reason {
  readonly message: string
  readonly fix: string
  readonly cites?: Cites
}

const reasons = {
  'no-content-type': {
    message: 'The body has no Content-Type: send multipart/form-data.',
    fix: 'Send a FormData object (or use curl -F). The client then sets the Content-Type and its boundary itself.',
  },
  'no-boundary': {
    message: 'The Content-Type multipart/form-data has no boundary.',
    fix: SET_NO_TYPE,
  },
  'boundary-too-long': {
    message: 'The boundary in the Content-Type is too long: at most 70 characters are allowed (RFC 2046).',
    fix: SET_NO_TYPE,
  },
  'cut-off-body': {
    message:
      'The multipart body ends before its closing boundary: it was cut off, its lines do not end in CRLF, or its boundary differs from the one in the Content-Type.',
    fix: SET_NO_TYPE,
  },
  'too-many-parts': {
    message: `The body has more than ${MOST_PARTS} parts.`,
    fix: 'Send only the fields that the document names.',
    cites: ['I-13'],
  },
  'nameless-part': {
    message: 'A part of the body has no name.',
    fix: DECLARE,
  },
  'part-name-too-long': {
    message: `A part's name is longer than ${LONGEST_NAME} characters.`,
    fix: 'Send only the fields that the document names.',
    cites: ['I-13'],
  },
  'reserved-part-name': {
    message: 'A part of the body has a reserved name, such as constructor.',
    fix: 'Send only the fields that the document names.',
    cites: ['I-13'],
  },
} as const satisfies Record<string, Reason>

/** Why a body is not a form. */
export function unreadable(code: keyof typeof reasons): UnreadableBody {
  const { message, fix, cites }: Reason = reasons[code]
  return new UnreadableBody(code, message, fix, { cites })
}

/** A part that is declared as JSON and is none. */
export function notJson(name: string): UnreadableBody {
  const message = `The form field ${quote(name)} is declared as application/json but is not JSON.`
  const fix = 'Send text fields without their own Content-Type.'
  return new UnreadableBody('unreadable-part', message, fix, { cites: ['I-13'], where: `form.${name}` })
}

/** A body with a content coding, such as gzip: what was encoded is never taken for the data itself (I-24). */
export function encodedBody(coding: string): UnreadableBody {
  const message = `The body has the Content-Encoding ${quote(coding)}, which is not decoded.`
  const fix = 'Send the body as it is, without Content-Encoding.'
  return new UnreadableBody('encoded-body', message, fix, { cites: ['I-24'] })
}

/** A part whose content is encoded, such as base64 (I-24). */
export function encodedPart(name: string, encoding: string): UnreadableBody {
  const message = `The part ${quote(name)} has the Content-Transfer-Encoding ${quote(encoding)}, which is not decoded.`
  const fix = 'Send the content of the part as it is, without Content-Transfer-Encoding.'
  return new UnreadableBody('encoded-part', message, fix, { cites: ['I-24'], where: `form.${name}` })
}

/** What Fastify takes for a media type, roughly. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** A body that is no multipart/form-data: an empty form without one, else unreadable. */
export function withoutForm(type: string | undefined, bytes: Buffer | null, contract: Contract): ReadForm {
  const isEmpty = bytes === null || bytes.byteLength === 0
  if (type === undefined && isEmpty) return { form: {}, unreadable: null, bytes }
  return { form: null, unreadable: whyNoForm(type, contract), bytes }
}

function whyNoForm(type: string | undefined, contract: Contract): UnreadableBody {
  if (type === undefined) return unreadable('no-content-type')
  if (!MEDIA_TYPE.test(type)) {
    const message = `The Content-Type ${quote(type)} is not a media type.`
    const fix = 'Remove the Content-Type header. With FormData or -F, the client sets the right one itself.'
    return new UnreadableBody('malformed-content-type', message, fix)
  }
  const message = `The body is sent as '${type}', but the operation takes multipart/form-data.`
  return new UnreadableBody('not-multipart', message, howToSend(type, contract))
}

function howToSend(type: string, contract: Contract): string {
  const [file] = FILE_TYPE.test(type) ? filesOf(contract) : []
  if (file !== undefined) return `Send the file as a part of a form: -F '${file}=@FILE'.`
  return 'Send a FormData object (or use curl -F), and do not set the Content-Type yourself.'
}
