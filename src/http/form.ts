import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { isFile, type UploadedFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { sha256 } from '../digest.js'
import type { Form, FormValue } from '../exchange.js'
import type { Violation } from '../violations.js'
import { Problem } from './problems.js'

/** A body that cannot be read as the form that the document asks for. */
export class UnreadableForm extends Error {
  readonly code: string
  readonly fix: string

  constructor(code: string, message: string, fix: string) {
    super(message)
    this.code = code
    this.fix = fix
  }

  get violation(): Violation {
    const { code, message, fix } = this
    return { code, message, where: 'body', fix, rule: 'Conventions: Multipart bodies use `multipart/form-data`.' }
  }
}

const REMOVE_TYPE =
  'Remove the Content-Type header: the client sets multipart/form-data with its boundary by itself, from FormData or -F.'
const LONGEST_NAME = 1_000
const MOST_PARTS = 1_000

/**
 * Reads a multipart/form-data body to its flat, literal part names; the files stay in memory.
 * @throws {UnreadableForm} for a body that is no well-formed form
 * @throws {Problem} for a body over `limit` bytes
 */
export async function readForm(request: FastifyRequest, contract: Contract, limit: number): Promise<Form> {
  if (!request.isMultipart()) return noForm(request)
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit)
  const form: Record<string, FormValue | FormValue[]> = Object.create(null)
  let size = 0
  try {
    for await (const part of request.parts(options(contract, limit))) {
      let value: FormValue
      if (part.type === 'file') {
        const content = await part.toBuffer()
        // What an HTML form sends for a file input that nobody used (I-20).
        if (part.filename === '' && content.byteLength === 0) continue
        value = uploaded(part.filename ?? '', part.mimetype, content)
        size += content.byteLength
      } else {
        value = text(part.value)
        size += value.length
        if (part.valueTruncated) throw tooLarge(limit)
      }
      if (size > limit) throw tooLarge(limit)
      add(form, part.fieldname ?? '', value)
    }
  } catch (error) {
    // A body that is left half-read blocks its connection.
    request.raw.unpipe().resume()
    throw readable(error, limit)
  }
  // Not before all is read: a body that is left half-read blocks its connection.
  for (const name in form) checkName(name)
  return form
}

function uploaded(filename: string, mimetype: string, content: Uint8Array): UploadedFile {
  return { filename, mimetype, size: content.byteLength, content, sha256: sha256(content) }
}

interface ReaderOptions {
  readonly limits: {
    readonly fileSize: number
    readonly fieldSize: number
    readonly fields: number
    readonly parts: number
  }
  readonly isPartAFile: (name: string | undefined, type: string | undefined, filename: string | undefined) => boolean
}

const readerOptions = new WeakMap<Contract, ReaderOptions>()

/** Fields that the document calls files are read as such, whatever headers their parts carry; made once per contract. */
function options(contract: Contract, limit: number): ReaderOptions {
  let known = readerOptions.get(contract)
  if (known === undefined || known.limits.fileSize !== limit) {
    const properties = contract.form?.properties ?? {}
    const files = new Set(Object.keys(properties).filter((name) => isFile(properties[name] as TSchema)))
    known = {
      limits: { fileSize: limit, fieldSize: limit, fields: MOST_PARTS, parts: MOST_PARTS },
      isPartAFile: (name = '', _type, filename) => filename !== undefined || files.has(name),
    }
    readerOptions.set(contract, known)
  }
  return known
}

function noForm(request: FastifyRequest): Form {
  const type = request.headers['content-type']
  const empty = request.body === undefined || request.body === '' || request.body === null
  if (empty && type === undefined) return {}
  if (type === undefined) {
    throw new UnreadableForm('no-content-type', 'The body has no Content-Type: send multipart/form-data.', REMOVE_TYPE)
  }
  throw new UnreadableForm(
    'not-multipart',
    `The body is sent as '${type}', but the operation takes multipart/form-data.`,
    'Send a FormData object (or curl -F), and set no Content-Type by hand.',
  )
}

/** A part typed application/json arrives parsed; the fields of this API are all text. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function add(form: Record<string, FormValue | FormValue[]>, name: string, value: FormValue): void {
  const known = form[name]
  if (known === undefined) form[name] = value
  else if (Array.isArray(known)) known.push(value)
  else form[name] = [known, value]
}

function checkName(name: string): void {
  if (name === '') {
    throw new UnreadableForm(
      'nameless-part',
      'A part of the body has no name.',
      'Give every part a header such as: Content-Disposition: form-data; name="file"; filename="signature.png"',
    )
  }
  if (name.length > LONGEST_NAME) {
    throw new UnreadableForm(
      'part-name-too-long',
      `A part's name is longer than ${LONGEST_NAME} characters.`,
      'Send only the fields that the document names.',
    )
  }
}

export function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is larger than ${limit} bytes. Send less, or start with a higher --body-limit.`,
    { limit },
    { connection: 'close' },
  )
}

/** What the multipart reader says, in words that help. */
const REASONS: readonly {
  readonly says: RegExp
  readonly code: string
  readonly message: string
  readonly fix: string
}[] = [
  {
    says: /boundary not found/i,
    code: 'no-boundary',
    message: 'The Content-Type multipart/form-data names no boundary.',
    fix: REMOVE_TYPE,
  },
  {
    says: /unexpected end|premature/i,
    code: 'cut-off-body',
    message:
      'The multipart body ends before its closing boundary: it was cut off, its lines do not end in CRLF, or its boundary is not the one in the Content-Type.',
    fix: REMOVE_TYPE,
  },
  {
    says: /needle/i,
    code: 'boundary-too-long',
    message: 'The boundary in the Content-Type is too long: at most 70 characters are allowed (RFC 2046).',
    fix: REMOVE_TYPE,
  },
  {
    says: /limit/i,
    code: 'too-many-parts',
    message: `The body has more than ${MOST_PARTS} parts.`,
    fix: 'Send only the fields that the document names.',
  },
  {
    says: /prototype/i,
    code: 'reserved-part-name',
    message: 'A part of the body has a reserved name, such as constructor.',
    fix: 'Send only the fields that the document names.',
  },
  {
    says: /content-type/i,
    code: 'unreadable-part',
    message: 'A part is declared as application/json but is not JSON.',
    fix: 'Send text fields without a Content-Type of their own.',
  },
]

function readable(error: unknown, limit: number): unknown {
  if (error instanceof UnreadableForm || error instanceof Problem) return error
  const { code, message } = error as { code?: string; message: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limit)
  const reason = REASONS.find(({ says }) => says.test(message))
  if (reason !== undefined) return new UnreadableForm(reason.code, reason.message, reason.fix)
  return new UnreadableForm('unreadable-body', `The multipart body cannot be read: ${message}.`, REMOVE_TYPE)
}
