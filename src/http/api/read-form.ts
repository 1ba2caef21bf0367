import type { IncomingMessage } from 'node:http'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Form, FormValue } from '../../../schemas/common.js'
import { jsonOr } from '../../text/json.js'
import { Problem, tooLarge } from '../problems.js'
import { drain, receiveBytes } from '../receive-bytes.js'
import { ReceivedFile } from './received-file.js'
import {
  encodedBody,
  encodedPart,
  LONGEST_NAME,
  notJson,
  type ReadForm,
  UnreadableBody,
  unreadable,
} from './unreadable-body.js'

/** Milliseconds after the last byte: @fastify/busboy waits for ever after a large part without a disposition. */
const PATIENCE = 1_000
/** Bytes of the longest form without parts. */
const EMPTY_FORM = 300

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
  const refused = isPlain(coding) ? boundary : encodedBody(coding)
  if (refused instanceof UnreadableBody) return { form: null, unreadable: refused, bytes: await receiveBytes(request) }
  const body = watch(raw, request.routeOptions.bodyLimit, keeps)
  try {
    const form = await Promise.race([formOf(request, files), body.failed])
    return { form, unreadable: null, bytes: body.bytes() }
  } catch (error) {
    if (isEmptyForm(body.beginning(), refused)) return { form: {}, unreadable: null, bytes: body.bytes() }
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
    timer = setTimeout(() => fail(unreadable('cut-off-body')), PATIENCE)
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
    if (content === undefined) add(form, part.fieldname, String((part as MultipartValue).value))
    else if (isFile(part.fieldname, (part as MultipartFile).filename)) addFile(form, part as MultipartFile, content)
    else {
      const text = jsonText(content)
      if (text === undefined) wrong = notJson(part.fieldname)
      else add(form, part.fieldname, text)
    }
  }
  if (wrong !== undefined) throw wrong
  return form
}

/** What clients declare though it says nothing (RFC 7578, section 4.7). */
const PLAIN = ['', '7bit', '8bit', 'binary', 'identity']

function whatIsWrong({ fieldname, encoding }: MultipartFile | MultipartValue): UnreadableBody | undefined {
  if (fieldname === undefined || fieldname === '') return unreadable('nameless-part')
  if (fieldname.length > LONGEST_NAME) return unreadable('part-name-too-long')
  return PLAIN.includes(encoding.toLowerCase()) ? undefined : encodedPart(fieldname, encoding)
}

function addFile(
  form: Record<string, FormValue | FormValue[]>,
  { fieldname, filename = '', mimetype }: MultipartFile,
  content: Buffer,
): void {
  // What an HTML form sends for a file input that was left empty (I-20).
  if (filename !== '' || content.byteLength > 0) add(form, fieldname, new ReceivedFile(filename, mimetype, content))
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
  if (error.code === 'FST_PROTO_VIOLATION') return unreadable('reserved-part-name')
  return unreadable(error.code === 'FST_PARTS_LIMIT' ? 'too-many-parts' : 'cut-off-body')
}

/** Whether a Content-Encoding says nothing. */
function isPlain(coding: string): boolean {
  return /^(?:identity|\s|,)*$/i.test(coding)
}

const LONGEST_BOUNDARY = 70

/** The boundary that a Content-Type names (RFC 2046, section 5.1.1). */
function boundaryOf(type: string): string | UnreadableBody {
  const [, quoted, bare = ''] = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;]*))/i.exec(type) ?? []
  const boundary = quoted ?? bare.trim()
  if (boundary === '') return unreadable('no-boundary')
  return boundary.length > LONGEST_BOUNDARY ? unreadable('boundary-too-long') : boundary
}

/** A form without fields, as browsers and .NET send it, is none to @fastify/busboy. */
function isEmptyForm(body: string, boundary: string): boolean {
  return [`--${boundary}--`, `--${boundary}\r\n\r\n--${boundary}--`].includes(body.trim())
}
