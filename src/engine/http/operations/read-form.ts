import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Contract } from '../../contract/contract.js'
import type { Conventions } from '../../contract/conventions.js'
import { type Form, type FormValue, LONGEST_FIELD } from '../../contract/fields.js'
import { hasManyValues, jsonOr } from '../../contract/json.js'
import type { Violation } from '../../judge/violation.js'
import { bodyTooLarge, fieldTooLong } from '../problems.js'
import { readRawBody } from '../raw-body.js'
import { parseMislabelledForm } from './mislabelled-form.js'
import { addCharsets, decodeAs, MAX_PARTS } from './part-charset.js'
import { exchangeOf } from './pending-exchange.js'
import { receivedFile } from './received-file.js'
import {
  encodedBody,
  mayBeForm,
  notMultipart,
  truncatedBody,
  unreadablePart,
  wrongBoundary,
} from './unreadable-body.js'

/** Bytes that are kept: of an unreadable body, and of a part's head, which may arrive in several pieces. */
const LONGEST_KEPT = 16 * 1024
const LONGEST_HEAD = 2 * 1024
/** Milliseconds. @fastify/busboy stops within a long part without a Content-Disposition, and never finishes. */
const STALL_CHECK_INTERVAL = 1_000

type ReadForm = Record<string, FormValue | FormValue[]>

/** @throws {Problem} for a body or a text over its limit, after the whole body has arrived */
export async function readForm(request: FastifyRequest, contract: Contract, files: ReadonlySet<string>) {
  const { raw, headers, routeOptions } = request
  const exchange = exchangeOf(request)
  const { conventions } = contract
  const { bodyLimit } = routeOptions
  const type = String(headers['content-type'])
  const boundary = boundaryOf(type)
  const coding = headers['content-encoding'] ?? ''
  const isEncoded = !/^(?:identity|\s|,)*$/i.test(coding)
  if (boundary === '' || isEncoded) {
    const bytes = await readRawBody(request)
    if (!isEncoded && !mayBeForm(bytes)) return { ...otherBody(bytes, type, contract, true), bytes }
    const unreadable = isEncoded ? encodedBody(conventions, 'Content-Encoding', coding) : wrongBoundary(conventions, '')
    return { form: null, text: null, unreadable, bytes, recoveredForm: await parseMislabelledForm(bytes) }
  }
  const kept: Buffer[] = []
  const charsets = new Map<string, string>()
  let tail: Buffer = Buffer.alloc(0)
  raw.on('data', (piece: Buffer) => {
    exchange.received += piece.byteLength
    if (kept.length === 0 || exchange.received <= LONGEST_KEPT) kept.push(piece)
    const seam = tail.byteLength === 0 ? piece : Buffer.concat([tail, piece.subarray(0, LONGEST_HEAD)])
    tail = (piece.byteLength < LONGEST_HEAD ? seam : piece).subarray(-LONGEST_HEAD)
    // A client may write `charset`, `CharSet` or `CHARSET`.
    for (const bytes of new Set([seam, piece]))
      if (bytes.includes('harset') || bytes.includes('harSet') || bytes.includes('HARSET'))
        addCharsets(charsets, bytes, boundary)
  })
  let timer: NodeJS.Timeout | undefined
  // A stalled part counts as missing.
  const stalled = new Promise<null>((resolve) => {
    let [receivedBefore, stalledChecks] = [-1, 0]
    timer = setInterval(() => {
      const isStalled = exchange.received === receivedBefore && (raw.isPaused() || raw.readableEnded)
      stalledChecks = isStalled ? stalledChecks + 1 : 0
      receivedBefore = exchange.received
      if (stalledChecks === 2) resolve(readRest(raw))
    }, STALL_CHECK_INTERVAL)
  })
  const form: ReadForm = Object.create(null)
  let unreadable: Violation | null
  let recoveredForm: Form | null = null
  try {
    unreadable = await Promise.race([readParts(request, files, charsets, form), stalled])
  } catch (error) {
    await readRest(raw)
    const body = Buffer.concat(kept)
    const isWhole = exchange.received === body.byteLength
    if (!mayBeForm(body) && !body.includes(`--${boundary}`) && exchange.received <= bodyLimit) {
      clearInterval(timer)
      return { ...otherBody(body, type, contract, isWhole), bytes: null }
    }
    if (isWhole && isEmptyForm(String(body), boundary)) unreadable = null
    else if (['\r', '\n', '-'].some((end) => body.includes(`--${boundary}${end}`)))
      unreadable = parserViolation((error as NodeJS.ErrnoException).code, conventions)
    else {
      unreadable = wrongBoundary(conventions, boundary)
      recoveredForm = await parseMislabelledForm(body)
    }
  }
  clearInterval(timer)
  if (exchange.received > bodyLimit) throw bodyTooLarge(bodyLimit, conventions)
  for (const [name, value] of Object.entries(form)) {
    const isStored = !files.has(name) && Object.hasOwn(contract.form?.properties ?? {}, name)
    if (isStored && typeof value === 'string' && value.length > LONGEST_FIELD) throw fieldTooLong(name, conventions)
  }
  return { form: unreadable === null ? form : null, text: null, unreadable, bytes: null, recoveredForm }
}

function otherBody(bytes: Buffer, type: string, contract: Contract, isWhole: boolean) {
  const text = String(bytes)
  const unreadable = notMultipart(type, text, contract)
  return { form: null, text: isWhole ? text : null, unreadable, recoveredForm: null }
}

/** An unread body would reset the connection before the client sees the answer. */
async function readRest(raw: IncomingMessage): Promise<null> {
  raw.unpipe()
  raw.resume()
  if (!raw.readableEnded && !raw.destroyed) await Promise.race([once(raw, 'end'), once(raw, 'close')]).catch(() => {})
  return null
}

async function readParts(
  request: FastifyRequest,
  files: ReadonlySet<string>,
  charsets: ReadonlyMap<string, string>,
  form: ReadForm,
): Promise<Violation | null> {
  let unreadable: Violation | null = null
  const { conventions } = request.server.api
  const parts = request.parts({
    // The library would parse a JSON part and change its text: read it as a file.
    isPartAFile(name = '', type, filename) {
      const isPlainField = filename === undefined && !files.has(name) && type?.startsWith('application/json') !== true
      // The library would decode every charset as UTF-8.
      return !isPlainField || charsets.has(name)
    },
  })
  for await (const part of parts) {
    // `toBuffer` would keep the content as long as the request.
    const content = part.type === 'file' ? Buffer.concat(await part.file.toArray()) : undefined
    if (exchangeOf(request).received > request.routeOptions.bodyLimit) throw new Error('The body is too large.')
    unreadable ??= partViolation(part, conventions)
    if (unreadable !== null) continue
    const { fieldname, filename, mimetype } = part as MultipartFile
    if (content === undefined) add(form, fieldname, String((part as MultipartValue).value))
    else if (isText(filename, mimetype) && !files.has(fieldname)) {
      const charset = charsets.get(fieldname)
      const decoded = charset === undefined ? String(content) : decodeAs(charset, content)
      const isJson = /^application\/json\b/i.test(mimetype)
      const text = isJson && decoded !== undefined ? textOfJsonPart(decoded) : decoded
      const type = decoded === undefined ? `${charset}, which is not supported` : 'application/json but is not JSON'
      const message = `The form field '${fieldname}' is declared as ${type}.`
      if (text !== undefined) add(form, fieldname, text)
      else unreadable = unreadablePart(conventions, message, `form.${fieldname}`)
    }
    // An HTML form sends an empty file for an empty file input.
    else if (filename || content.byteLength > 0) add(form, fieldname, receivedFile(filename ?? '', mimetype, content))
  }
  return unreadable
}

/** `FormData` can declare JSON only by a Blob, which has the file name `blob`. */
function isText(filename: string | undefined, mimetype: string): boolean {
  return filename === undefined || (filename === 'blob' && /^application\/json\b/i.test(mimetype))
}

/** Encodings that change nothing (RFC 7578, section 4.7). */
const PLAIN = ['', '7bit', '8bit', 'binary', 'identity']

function partViolation({ fieldname, encoding }: MultipartFile | MultipartValue, conventions: Conventions) {
  if (!fieldname) return unreadablePart(conventions, 'A part of the body has no name.')
  if (PLAIN.includes(encoding.toLowerCase())) return null
  return encodedBody(conventions, 'Content-Transfer-Encoding', encoding, fieldname)
}

function add(form: ReadForm, name: string, value: FormValue): void {
  const before = form[name]
  if (before === undefined) form[name] = value
  else if (Array.isArray(before)) before.push(value)
  else form[name] = [before, value]
}

function textOfJsonPart(text: string): string | undefined {
  if (hasManyValues(text)) return text
  const value = jsonOr(text, undefined)
  return typeof value === 'string' ? value : value === undefined ? undefined : text
}

function parserViolation(code: string | undefined, conventions: Conventions) {
  if (code === 'FST_PARTS_LIMIT') return unreadablePart(conventions, `The body has more than ${MAX_PARTS} parts.`)
  if (code !== 'FST_PROTO_VIOLATION') return truncatedBody(conventions)
  return unreadablePart(conventions, 'A part of the body has a reserved name, such as constructor.')
}

/** See RFC 2046, section 5.1.1. Empty if the type has no boundary. */
function boundaryOf(type: string): string {
  const [, quoted, unquoted = ''] = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;]*))/i.exec(type) ?? []
  return quoted ?? unquoted.trim()
}

/** @fastify/busboy rejects the empty forms that browsers and .NET send. */
function isEmptyForm(body: string, boundary: string): boolean {
  return [`--${boundary}--`, `--${boundary}\r\n\r\n--${boundary}--`].includes(body.trim())
}
