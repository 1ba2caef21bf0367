import type { IncomingMessage } from 'node:http'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Form, FormValue, UploadedFile } from '../../../schemas/common.js'
import { sha256 } from '../../text/digest.js'
import { jsonOr } from '../../text/json.js'
import { Problem, tooLarge } from '../problems.js'
import { drain, receiveBytes } from '../receive-bytes.js'
import { cutOff, encoded, noBoundary, UnreadableBody, unreadablePart } from './unreadable-body.js'

/** Milliseconds after the last byte: @fastify/busboy waits for ever after a large part without a disposition. */
const PATIENCE = 1_000
/** Bytes of the longest form without parts. */
const EMPTY_FORM = 300
export const MOST_PARTS = 1_000

/** What was read of a body: a form, or why it is none; and its bytes, if they are kept. */
export interface ReadForm {
  readonly form: Form | null
  readonly unreadable: UnreadableBody | null
  readonly bytes: Buffer | null
}

export function isForm(type: string | undefined): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(type ?? '')
}

/**
 * Reads a multipart/form-data body to its flat, literal part names; `files` are the fields that are files, `keeps` says
 * whether to keep the bytes.
 * @throws {Problem} for a body over the limit, once all of it has come
 */
export async function readForm(request: FastifyRequest, files: ReadonlySet<string>, keeps = false): Promise<ReadForm> {
  const { raw, headers } = request
  const boundary = boundaryOf(String(headers['content-type']))
  const coding = headers['content-encoding'] ?? ''
  const isPlain = /^(?:identity|\s|,)*$/i.test(coding)
  if (boundary === '' || !isPlain) {
    const unreadable = isPlain ? noBoundary() : encoded('Content-Encoding', coding)
    return { form: null, unreadable, bytes: await receiveBytes(request) }
  }
  const body = watch(raw, request.routeOptions.bodyLimit, keeps)
  try {
    const form = await Promise.race([formOf(request, files), body.failed])
    return { form, unreadable: null, bytes: body.bytes() }
  } catch (error) {
    if (isEmptyForm(body.beginning(), boundary)) return { form: {}, unreadable: null, bytes: body.bytes() }
    raw.unpipe()
    await drain(raw)
    if (error instanceof Problem) throw error
    return { form: null, unreadable: reasonFor(error as Error & { readonly code?: string }), bytes: body.bytes() }
  } finally {
    body.stop()
  }
}

/** Follows the bytes of a body: how many they are, and whether a form comes of them in time. */
function watch(raw: IncomingMessage, limit: number, keeps: boolean) {
  const pieces: Buffer[] = []
  let size = Number(raw.headers['content-length'] ?? 0) > limit ? limit + 1 : 0
  let timer: NodeJS.Timeout | undefined
  let fail: (error: Error) => void
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const onData = (piece: Buffer) => {
    size += piece.byteLength
    if (size > limit) fail(tooLarge(limit))
    else if (keeps || size <= EMPTY_FORM) pieces.push(piece)
  }
  const onEnd = () => {
    timer = setTimeout(() => fail(cutOff()), PATIENCE)
  }
  raw.on('data', onData).once('end', onEnd)
  return {
    failed,
    stop: () => {
      raw.off('data', onData).off('end', onEnd)
      clearTimeout(timer)
    },
    bytes: () => (keeps ? Buffer.concat(pieces) : null),
    beginning: () => (size <= EMPTY_FORM ? Buffer.concat(pieces).toString('latin1') : ''),
  }
}

async function formOf(request: FastifyRequest, files: ReadonlySet<string>): Promise<Form> {
  const form: Record<string, FormValue | FormValue[]> = Object.create(null)
  // A part that is declared as JSON comes as its bytes: parsed and written again, it would be another text.
  const isFile = (name = '', filename?: string) => filename !== undefined || files.has(name)
  const isPartAFile = (name?: string, type?: string, filename?: string) =>
    isFile(name, filename) || type?.startsWith('application/json') === true
  let wrong: UnreadableBody | undefined
  for await (const part of request.parts({ isPartAFile })) {
    const content = part.type === 'file' ? await part.toBuffer() : undefined
    wrong ??= whatIsWrong(part)
    if (wrong !== undefined) continue
    const { fieldname, filename = '', mimetype } = part as MultipartFile
    if (content === undefined) add(form, fieldname, String((part as MultipartValue).value))
    else if (!isFile(fieldname, (part as MultipartFile).filename)) {
      const text = jsonText(content)
      if (text !== undefined) add(form, fieldname, text)
      else
        wrong = unreadablePart(
          `The form field '${fieldname}' is declared as application/json but is not JSON.`,
          `form.${fieldname}`,
        )
    }
    // An HTML form sends an empty file for a file input that was left empty (I-20).
    else if (filename !== '' || content.byteLength > 0)
      add(form, fieldname, new ReceivedFile(filename, mimetype, content))
  }
  if (wrong !== undefined) throw wrong
  return form
}

/** What clients declare though it says nothing (RFC 7578, section 4.7). */
const PLAIN = ['', '7bit', '8bit', 'binary', 'identity']

function whatIsWrong({ fieldname, encoding }: MultipartFile | MultipartValue): UnreadableBody | undefined {
  if (!fieldname) return unreadablePart('A part of the body has no name.')
  if (PLAIN.includes(encoding.toLowerCase())) return undefined
  return encoded('Content-Transfer-Encoding', encoding, fieldname)
}

function add(form: Record<string, FormValue | FormValue[]>, name: string, value: FormValue): void {
  const known = form[name]
  if (known === undefined) form[name] = value
  else if (Array.isArray(known)) known.push(value)
  else form[name] = [known, value]
}

/** The text of a part that is declared as JSON; undefined if it is none. */
function jsonText(bytes: Buffer): string | undefined {
  const text = bytes.toString()
  const value = jsonOr(text, undefined)
  return typeof value === 'string' ? value : value === undefined ? undefined : text
}

/** Why a form is not read, by what the reader says. */
function reasonFor(error: Error & { readonly code?: string }): UnreadableBody {
  if (error instanceof UnreadableBody) return error
  if (error.code === 'FST_PARTS_LIMIT') return unreadablePart(`The body has more than ${MOST_PARTS} parts.`)
  if (error.code !== 'FST_PROTO_VIOLATION') return cutOff()
  return unreadablePart('A part of the body has a reserved name, such as constructor.')
}

/** The boundary that a Content-Type names (RFC 2046, section 5.1.1); empty without one. */
function boundaryOf(type: string): string {
  const [, quoted, bare = ''] = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;]*))/i.exec(type) ?? []
  return quoted ?? bare.trim()
}

/** A form without fields, as browsers and .NET send it, is none to @fastify/busboy. */
function isEmptyForm(body: string, boundary: string): boolean {
  return [`--${boundary}--`, `--${boundary}\r\n\r\n--${boundary}--`].includes(body.trim())
}

/** A file of a form. */
export class ReceivedFile implements UploadedFile {
  readonly filename: string
  readonly mimetype: string
  readonly size: number
  readonly content: Uint8Array
  #sha256: string | undefined

  constructor(filename: string, mimetype: string, content: Uint8Array) {
    this.filename = filename
    this.mimetype = mimetype
    this.size = content.byteLength
    this.content = content
  }

  /** Costs as much as receiving the file: computed when it is first read. */
  get sha256(): string {
    this.#sha256 ??= sha256(this.content)
    return this.#sha256
  }
}
