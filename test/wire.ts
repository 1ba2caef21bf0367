import { connect } from 'node:net'
import type { Test } from 'tap'
import { uploadSignature } from '../schemas/index.js'
import type { Contract } from '../src/engine/contract/contract.js'
import { BOUNDARY, build, requestOf, type ServerParts, type Settings } from './helper.js'

export async function listeningServer(t: Test, overrides: Partial<Settings> = {}, parts: ServerParts = {}) {
  const server = await build(t, overrides, parts)
  const url = await server.listen()
  const port = Number(new URL(url).port)
  return { server, url, port, exchange: (sent: Chunks) => exchange(port, sent) }
}

export const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`

export interface RawRequestOptions {
  readonly contract?: Contract
  readonly type?: string | null
  readonly token?: string
  readonly lines?: readonly string[]
  readonly chunked?: boolean
}

export function rawRequest(content: string | Uint8Array, options: RawRequestOptions = {}): [Buffer, Buffer] {
  const { contract = uploadSignature, token = 'token-admin', lines = [], chunked } = options
  const { type = `multipart/form-data; boundary=${BOUNDARY}` } = options
  const { method, url } = requestOf(contract)
  const body = Buffer.from(content)
  const typed = type === null ? [] : [`Content-Type: ${type}`]
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const fields = ['Host: localhost', `Authorization: Bearer ${token}`, ...typed, length, ...lines]
  return [Buffer.from(head(`${method} ${url} HTTP/1.1`, ...fields)), chunked ? inChunks(body) : body]
}

function inChunks(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let start = 0; start < body.length; start += 70) {
    const piece = body.subarray(start, start + 70)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

export type Chunks = string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>

const TIMEOUT = 30_000

/** Sends bytes; once the connection has closed, resolves with the text received and the error, if any. */
export function untilClosed(port: number, sent: string | Uint8Array, timeout = TIMEOUT) {
  return new Promise<{ readonly text: string; readonly error: string | undefined }>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let error: string | undefined
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk))
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => (error = code ?? message))
    socket.on('close', () => resolve({ text, error }))
    socket.setTimeout(timeout, () => socket.destroy(new Error('no answer in time')))
    socket.write(sent)
  })
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly interim: readonly number[]
}

function exchange(port: number, sent: Chunks): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    let received = Buffer.alloc(0)
    socket.setTimeout(TIMEOUT, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = readAnswer(received)
      if (answer === undefined) return
      socket.destroy()
      resolve(answer)
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`the connection ended after ${JSON.stringify(received.toString())}`)))
    socket.on('connect', async () => {
      for await (const chunk of typeof sent === 'string' || sent instanceof Uint8Array ? [sent] : sent)
        await new Promise((resolve) => socket.write(chunk, () => setImmediate(resolve)))
    })
  })
}

function readAnswer(received: Buffer): WireAnswer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = received.toString('latin1', 0, end).split('\r\n')
  const status = Number(line.split(' ')[1])
  const rest = received.subarray(end + 4)
  if (status < 200) {
    const final = readAnswer(rest)
    return final && { ...final, interim: [status, ...final.interim] }
  }
  const headers = Object.fromEntries(fields.map((field) => field.split(/: ?(.*)/s, 2) as [string, string]))
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const length = Number(lower['content-length'] ?? 0)
  return rest.length < length
    ? undefined
    : { status, headers: lower, body: rest.toString('utf8', 0, length), interim: [] }
}
