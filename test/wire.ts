import { connect } from 'node:net'
import type { Test } from 'tap'
import { build, type ServerParts, type Settings } from './helper.js'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The interim answers before it, such as 100. */
  readonly interim: readonly number[]
}

export type Chunks = string | Uint8Array | readonly (string | Uint8Array)[]

export interface Speaking {
  /** Ends the sending side once all is written: a cut-off body. */
  readonly end?: boolean
  /** Milliseconds to wait for the answers before it counts as a hang. */
  readonly patience?: number
}

/** A server that listens, and what speaks to it byte by byte. */
export async function listening(t: Test, overrides: Partial<Settings> = {}, parts: ServerParts = {}) {
  const server = await build(t, overrides, parts)
  const url = await server.listen()
  const port = Number(new URL(url).port)
  return {
    server,
    url,
    port,
    exchange: async (chunks: Chunks, speaking?: Speaking) => {
      const [answer] = await converse(port, [chunks], speaking)
      return answer as WireAnswer
    },
    converse: (requests: readonly Chunks[], speaking?: Speaking) => converse(port, requests, speaking),
  }
}

/** Writes requests on one connection, each chunk in a write of its own, each request once the one before is answered. */
function converse(
  port: number,
  requests: readonly Chunks[],
  { end = false, patience = 5_000 }: Speaking = {},
): Promise<WireAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    const answers: WireAnswer[] = []
    let received = Buffer.alloc(0)
    const finish = (why?: string) => {
      clearTimeout(timer)
      socket.destroy()
      if (why === undefined) resolve(answers)
      else reject(new Error(`${why} after ${answers.length} answers and ${JSON.stringify(received.toString())}`))
    }
    const timer = setTimeout(() => finish('it hangs'), patience)
    const write = async (chunks: Chunks) => {
      for (const chunk of [chunks].flat()) {
        await new Promise((written) => socket.write(chunk as Uint8Array, () => setImmediate(written)))
      }
      if (end) socket.end()
    }
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const next = () => readAnswer(received, isHead(requests[answers.length]))
      for (let read = next(); read !== undefined; read = next()) {
        answers.push(read.answer)
        received = read.rest
        if (answers.length === requests.length) return finish()
        write(requests[answers.length] as Chunks)
      }
    })
    socket.on('error', (error) => finish(error.message))
    socket.on('end', () => finish('the connection ended'))
    socket.on('connect', () => write(requests[0] as Chunks))
  })
}

/** Whether a request's answer has a length, and no body. */
function isHead(chunks: Chunks = ''): boolean {
  const [first = ''] = [chunks].flat()
  return Buffer.from(first).subarray(0, 5).equals(Buffer.from('HEAD '))
}

/** The first answer, once all of it is there, and what follows it. */
function readAnswer(
  received: Buffer,
  bodiless: boolean,
): { readonly answer: WireAnswer; readonly rest: Buffer<ArrayBuffer> } | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = received.toString('latin1', 0, end).split('\r\n')
  const status = Number(line.split(' ')[1])
  const after = Buffer.from(received.subarray(end + 4))
  if (status < 200) {
    const next = readAnswer(after, bodiless)
    return next && { ...next, answer: { ...next.answer, interim: [status, ...next.answer.interim] } }
  }
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const length = bodiless ? 0 : Number(headers['content-length'] ?? 0)
  if (after.length < length) return undefined
  return {
    answer: { status, headers, body: after.toString('utf8', 0, length), interim: [] },
    rest: after.subarray(length),
  }
}
