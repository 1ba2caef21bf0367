import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Form, FormValue, UploadedFile } from '../../../schemas/common.js'
import { type Contract, filesOf } from '../../../schemas/contract.js'
import { sha256 } from '../../text/digest.js'
import { jsonOr } from '../../text/json.js'
import { requirePlainBody, requirePlainPart, undecodable } from './encodings.js'
import { lookAtForm, type SeenPart, wrongCharset } from './form-look.js'
import { FILE_TYPE, LONGEST_NAME, notJson, UnreadableBody, unreadable } from './unreadable-body.js'

/** A request, and the headers by which its body is read. */
export interface Received {
  readonly request: FastifyRequest
  readonly headers: FastifyRequest['headers']
}

/**
 * Reads a multipart/form-data body to its flat, literal part names.
 * @throws {UnreadableBody} for a body that is not a well-formed form
 */
export async function readForm(received: Received, bytes: Buffer, contract: Contract): Promise<Form> {
  const { 'content-type': type } = received.headers
  if (!isForm(type)) return noForm(type, bytes.byteLength === 0, contract)
  requirePlainBody(received.headers)
  const { parts, body } = lookAtForm(bytes, type as string)
  // @fastify/busboy takes a form without parts for one that is cut off.
  return parts.length === 0 ? {} : formOf(received, body, parts, filesOf(contract))
}

export function isForm(type: string | undefined): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(type ?? '')
}

async function formOf(
  received: Received,
  body: Buffer,
  seen: readonly SeenPart[],
  files: ReadonlySet<string>,
): Promise<Form> {
  const form: Record<string, FormValue | FormValue[]> = Object.create(null)
  // What is declared as JSON comes as its bytes: parsed and written again, it would be another text.
  const isFile = (name = '', filename?: string) => filename !== undefined || files.has(name)
  const isPartAFile = (name?: string, type?: string, filename?: string) => isFile(name, filename) || isJson(type)
  let nth = 0
  try {
    for await (const part of withBody(received, body).parts({ isPartAFile })) {
      const { headers, content } = seen[nth++] as SeenPart
      checkName(part.fieldname)
      requirePlainPart(part.fieldname, headers)
      if (part.type === 'file' && isFile(part.fieldname, part.filename)) {
        const file = await uploaded(part)
        // What an HTML form sends for a file input that was left empty (I-20).
        if (file.filename !== '' || file.size > 0) add(form, part.fieldname, file)
        continue
      }
      const charset = wrongCharset({ headers, content })
      if (charset !== undefined) throw undecodable(part.fieldname, charset)
      const value = part.type === 'file' ? fromJson(part.fieldname, await part.toBuffer()) : String(part.value)
      add(form, part.fieldname, value)
    }
  } catch (error) {
    throw error instanceof UnreadableBody ? error : unreadable(reasons[(error as ReaderError).code] ?? 'cut-off-body')
  }
  if (nth < seen.length) throw unreadable('undeclared-part')
  return form
}

type ReaderError = Error & { readonly code: string }

/** Why @fastify/multipart reads a form no further. */
const reasons: Readonly<Record<string, Parameters<typeof unreadable>[0]>> = {
  FST_PROTO_VIOLATION: 'reserved-part-name',
}

/** As @fastify/multipart has it. */
function isJson(type: string | undefined): boolean {
  return type?.startsWith('application/json') === true
}

/** What a part says that is declared as JSON: a text is that text. @throws {UnreadableBody} where it is none */
function fromJson(name: string, bytes: Buffer): string {
  const text = bytes.toString()
  const value = jsonOr(text, undefined)
  if (value === undefined) throw notJson(name)
  return typeof value === 'string' ? value : text
}

/** @fastify/multipart reads the raw request, whatever preParsing hands on: here is one with the body that was received. */
function withBody({ request, headers }: Received, body: Buffer): FastifyRequest {
  const raw = Object.assign(Readable.from(body), { headers })
  return Object.assign(Object.create(Object.getPrototypeOf(request)), request, { raw, isMultipart: () => true })
}

/**
 * What a body is that is no multipart/form-data: nothing at all.
 * @throws {UnreadableBody} for a body of another type
 */
function noForm(type: string | undefined, empty: boolean, contract: Contract): Form {
  if (empty && type === undefined) return {}
  if (type === undefined) throw unreadable('no-content-type')
  throw new UnreadableBody(
    'not-multipart',
    `The body is sent as '${type}', but the operation takes multipart/form-data.`,
    howToSend(type, contract),
  )
}

function howToSend(type: string, contract: Contract): string {
  const [file] = FILE_TYPE.test(type) ? filesOf(contract) : []
  if (file !== undefined) return `Send the file as a part of a form: -F '${file}=@FILE'.`
  return 'Send a FormData object (or use curl -F), and do not set the Content-Type yourself.'
}

function checkName(name: string | undefined): void {
  if (name === undefined || name === '') throw unreadable('nameless-part')
  if (name.length > LONGEST_NAME) throw unreadable('part-name-too-long')
}

function add(form: Record<string, FormValue | FormValue[]>, name: string, value: FormValue): void {
  const known = form[name]
  if (known === undefined) form[name] = value
  else if (Array.isArray(known)) known.push(value)
  else form[name] = [known, value]
}

async function uploaded(part: MultipartFile): Promise<UploadedFile> {
  const content = await part.toBuffer()
  const { filename = '', mimetype } = part
  return { filename, mimetype, size: content.byteLength, content, sha256: sha256(content) }
}
