import type { Contract } from '../../schemas/contract.js'
import { uploadSignature } from '../../schemas/index.js'
import { BOUNDARY, fixtureFile, requestOf } from '../helper.js'

export const CRLF = '\r\n'
export const PNG = fixtureFile('signature.png').content

type Bytes = string | Uint8Array
export const bytes = (...pieces: readonly Bytes[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)))

export const part = (headers: readonly string[], content: Bytes, boundary = BOUNDARY) =>
  bytes(`--${boundary}${CRLF}${headers.join(CRLF)}${CRLF}${CRLF}`, content, CRLF)
export const end = (boundary = BOUNDARY) => bytes(`--${boundary}--${CRLF}`)

export const FILE = 'Content-Disposition: form-data; name="file"; filename="s.png"'
export const TEXT = 'Content-Disposition: form-data; name="source"'
export const file = (headers = [FILE, 'Content-Type: image/png'], boundary = BOUNDARY) => part(headers, PNG, boundary)
export const text = (headers = [TEXT], content: Bytes = 'drawn ø') => part(headers, content)
export const form = bytes(file(), text(), end())

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export interface Sending {
  readonly contract?: Contract
  /** The whole Content-Type; null for none. */
  readonly type?: string | null
  readonly token?: string
  readonly headers?: readonly string[]
  readonly chunked?: boolean
}

/** The head and the body of a request as they go over the wire. */
export function raw(body: Bytes, sending: Sending = {}): [Buffer, Buffer] {
  const { contract = uploadSignature, type = MULTIPART, token = 'token-admin' } = sending
  const { method, url } = requestOf(contract)
  const length = sending.chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes(body).length}`
  const typed = type === null ? [] : [`Content-Type: ${type}`]
  const fields = ['Host: localhost', `Authorization: Bearer ${token}`, ...typed, length, ...(sending.headers ?? [])]
  const head = `${method} ${url} HTTP/1.1${CRLF}${fields.join(CRLF)}${CRLF}${CRLF}`
  return [bytes(head), sending.chunked ? chunked(bytes(body)) : bytes(body)]
}

function chunked(body: Buffer, size = 700): Buffer {
  return inChunks(
    Array.from({ length: Math.ceil(body.length / size) }, (_, nth) => body.subarray(nth * size, (nth + 1) * size)),
  )
}

/** A chunked body; an empty chunk would end it. */
function inChunks(pieces: readonly Uint8Array[]): Buffer {
  const chunks = pieces.filter(({ length }) => length > 0)
  return bytes(...chunks.flatMap((one) => [one.length.toString(16), CRLF, one, CRLF]), `0${CRLF}${CRLF}`)
}

export const bounded = (boundary: string) =>
  bytes(file(undefined, boundary), part([TEXT], 'drawn ø', boundary), end(boundary))
