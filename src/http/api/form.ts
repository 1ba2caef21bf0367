import type { FastifyRequest } from 'fastify'
import type { Form, FormValue, UploadedFile } from '../../../schemas/common.js'
import { type Contract, filesOf } from '../../../schemas/contract.js'
import { bareObject } from '../../text/bare-object.js'
import { sha256 } from '../../text/digest.js'
import { receiveBody } from '../body.js'
import { requirePlainBody } from './encodings.js'
import { type PartFile, readParts } from './multipart.js'
import { LONGEST_NAME, UnreadableForm, unreadable } from './unreadable-form.js'

/** A form, and the body that its files are views of; null where there is none. */
interface ReadForm {
  readonly form: Form
  readonly bytes: Buffer | null
}

/**
 * Reads a multipart/form-data body to its flat, literal part names.
 * @throws {UnreadableForm} for a body that is not a well-formed form
 * @throws {Problem} for a body over `limit` bytes
 */
export async function readForm(request: FastifyRequest, contract: Contract, limit: number): Promise<ReadForm> {
  const { 'content-type': type } = request.headers
  if (!request.isMultipart()) return { form: noForm(type, isEmpty(request.body), contract), bytes: null }
  requirePlainBody(request.headers)
  const bytes = await receiveBody(request.raw, limit)
  return { form: formIn(bytes, type ?? '', contract), bytes }
}

/**
 * The form that a body is.
 * @throws {UnreadableForm} for a body that is not a well-formed form
 */
export function formIn(body: Buffer, type: string, contract: Contract): Form {
  return formOf(readParts(body, type, filesOf(contract)), uploaded)
}

/**
 * A form of its parts; `fileOf` makes what is a file.
 * @throws {UnreadableForm} for a part whose name cannot be used
 */
export function formOf<F>(
  parts: readonly { readonly name: string; readonly value: string | F }[],
  fileOf: (file: F) => UploadedFile,
): Form {
  const form: Record<string, FormValue | FormValue[]> = bareObject()
  for (const { name, value } of parts) {
    checkName(name)
    const one = typeof value === 'string' ? value : fileOf(value)
    // What an HTML form sends for a file input that was left empty (I-20).
    if (typeof one === 'string' || one.filename !== '' || one.size > 0) add(form, name, one)
  }
  return form
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === '' || body === null
}

/**
 * What a body is that is no multipart/form-data: nothing at all.
 * @throws {UnreadableForm} for a body of another type
 */
export function noForm(type: string | undefined, empty: boolean, contract: Contract): Form {
  if (empty && type === undefined) return {}
  if (type === undefined) throw unreadable('no-content-type')
  throw new UnreadableForm(
    'not-multipart',
    `The body is sent as '${type}', but the operation takes multipart/form-data.`,
    howToSend(type, contract),
  )
}

/** What is often sent as the body itself. */
const FILE_TYPE = /^(?:image\/|application\/(?:pdf|octet-stream))/i

function howToSend(type: string, contract: Contract): string {
  const [file] = FILE_TYPE.test(type) ? filesOf(contract) : []
  if (file !== undefined) return `Send the file as a part of a form: -F '${file}=@FILE'.`
  return 'Send a FormData object (or curl -F), and set no Content-Type by hand.'
}

function checkName(name: string): void {
  if (name === '') throw unreadable('nameless-part')
  if (name.length > LONGEST_NAME) throw unreadable('part-name-too-long')
  if (name in Object.prototype) throw unreadable('reserved-part-name')
}

function add(form: Record<string, FormValue | FormValue[]>, name: string, value: FormValue): void {
  const known = form[name]
  if (known === undefined) form[name] = value
  else if (Array.isArray(known)) known.push(value)
  else form[name] = [known, value]
}

function uploaded({ filename, mimetype, content }: PartFile): UploadedFile {
  return { filename, mimetype, size: content.byteLength, content, sha256: sha256(content) }
}
