import { interpretationRule, type Violation } from '../../validation/violation.js'
import type { CutOffBody } from '../body.js'

const SET_NO_TYPE =
  'Remove the Content-Type header: the client sets multipart/form-data with its boundary by itself, from FormData or -F.'
const MULTIPART = 'Conventions: Multipart bodies use `multipart/form-data`.'
export const LONGEST_NAME = 1_000
export const MOST_PARTS = 1_000

/** A body that cannot be read as the form that the document asks for (I-13). */
export class UnreadableForm extends Error {
  readonly code: string
  readonly fix: string
  readonly rule: string

  constructor(code: string, message: string, fix: string, rule = MULTIPART) {
    super(message)
    this.code = code
    this.fix = fix
    this.rule = rule
  }

  get violation(): Violation {
    const { code, message, fix, rule } = this
    return { code, message, where: 'body', fix, rule }
  }
}

interface Reason {
  readonly message: string
  readonly fix: string
  /** What the parser says in this case. */
  readonly parserSays?: RegExp
}

const reasons = {
  'no-content-type': {
    message: 'The body has no Content-Type: send multipart/form-data.',
    fix: SET_NO_TYPE,
  },
  'no-boundary': {
    message: 'The Content-Type multipart/form-data has no boundary.',
    fix: SET_NO_TYPE,
    parserSays: /boundary not found/i,
  },
  'boundary-too-long': {
    message: 'The boundary in the Content-Type is too long: at most 70 characters are allowed (RFC 2046).',
    fix: SET_NO_TYPE,
    parserSays: /needle/i,
  },
  'cut-off-body': {
    message:
      'The multipart body ends before its closing boundary: it was cut off, its lines do not end in CRLF, or its boundary is not the one in the Content-Type.',
    fix: SET_NO_TYPE,
    parserSays: /unexpected end|terminated early/i,
  },
  'too-many-parts': {
    message: `The body has more than ${MOST_PARTS} parts.`,
    fix: 'Send only the fields that the document names.',
  },
  'nameless-part': {
    message: 'A part of the body has no name.',
    fix: 'Give every part a header such as: Content-Disposition: form-data; name="file"; filename="signature.png"',
  },
  'part-name-too-long': {
    message: `A part's name is longer than ${LONGEST_NAME} characters.`,
    fix: 'Send only the fields that the document names.',
  },
  'reserved-part-name': {
    message: 'A part of the body has a reserved name, such as constructor.',
    fix: 'Send only the fields that the document names.',
  },
  'unreadable-part': {
    message: 'A part is declared as application/json but is not JSON.',
    fix: 'Send text fields without a Content-Type of their own.',
  },
} as const satisfies Record<string, Reason>

/** Why a body is not a form. */
export function unreadable(code: keyof typeof reasons): UnreadableForm {
  const { message, fix } = reasons[code]
  return new UnreadableForm(code, message, fix)
}

/** What the multipart parser says, in words that help. */
export function unreadableTo({ message }: Error): UnreadableForm {
  for (const [code, { parserSays }] of Object.entries<Reason>(reasons)) {
    if (parserSays?.test(message)) return unreadable(code as keyof typeof reasons)
  }
  return new UnreadableForm('unreadable-body', `The multipart body cannot be read: ${message}.`, SET_NO_TYPE)
}

/** A body of which not all arrived. */
export function cutOff({ message }: CutOffBody): UnreadableForm {
  const fix = 'Send the whole body before you end the connection, and let the client set Content-Length by itself.'
  return new UnreadableForm('cut-off-body', message, fix, interpretationRule('I-13'))
}
