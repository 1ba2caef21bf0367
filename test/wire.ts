import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { Settings } from '../src/options.js'
import { build } from './helper.js'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Every byte received, interim answers included. */
  readonly raw: string
}

/** A server that listens, and what speaks to it byte by byte. */
export async function listening(t: Test, overrides: Partial<Settings> = {}) {
  const server = await build(t, overrides)
  const url = await server.listen()
  const port = Number(new URL(url).port)
  return { server, url, port, exchange: (chunks: Chunks, options?: Speaking) => exchange(port, chunks, options) }
}

export type Chunks = string | Uint8Array | readonly (string | Uint8Array)[]

interface Speaking {
  /** Ends the sending side once all is written: a cut-off body. */
  readonly end?: boolean
  /** Milliseconds to wait for an answer before it counts as a hang. */
  readonly patience?: number
}

/** Writes the chunks, one write each, and reads one final answer. */
export function exchange(
  port: number,
  chunks: Chunks,
  { end = false, patience = 5_000 }: Speaking = {},
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    let raw = ''
    const finish = (answer: WireAnswer | undefined, why: string) => {
      clearTimeout(timer)
      socket.destroy()
      if (answer === undefined) reject(new Error(`${why}, after ${JSON.stringify(raw.slice(0, 200))}`))
      else resolve(answer)
    }
    const timer = setTimeout(() => finish(undefined, 'no answer: it hangs'), patience)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      raw += text
      const answer = parse(raw)
      if (answer !== undefined) finish(answer, '')
    })
    socket.on('error', (error) => finish(parse(raw), error.message))
    socket.on('end', () => finish(parse(raw), 'the connection ended'))
    socket.on('connect', async () => {
      for (const chunk of [chunks].flat()) {
        await new Promise((written) => socket.write(chunk as Uint8Array, () => setImmediate(written)))
      }
      if (end) socket.end()
    })
  })
}

/** The final answer, once all of it is there. */
function parse(raw: string): WireAnswer | undefined {
  const final = raw.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '')
  const at = final.indexOf('\r\n\r\n')
  if (at < 0) return undefined
  const [line = '', ...fields] = final.slice(0, at).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  )
  const body = final.slice(at + 4)
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return undefined
  return { status: Number(line.split(' ')[1]), headers, body, raw }
}
