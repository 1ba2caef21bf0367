import type { IncomingMessage, Server } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { BODILESS } from '../../../schemas/scenario.js'
import { bodyToSend, type RequestToSend } from './body-to-send.js'
import type { Call } from './call.js'
import { ConnectionEnd } from './connection.js'
import { decoded } from './content-encoding.js'
import { failed } from './failed.js'
import { redirected } from './redirect.js'
import { untouched } from './untouched.js'

/** Where a fetch in process goes. */
export interface Destination {
  readonly server: Server
  /** The URL of the server: links of its answers begin with it. */
  readonly url: string
}

/**
 * Calls a server in this process without a socket: the request is written, read, answered and journaled as any other.
 * @throws {TypeError} where the connection fails, as `fetch` does
 */
export async function fetchInProcess({ server, url }: Destination, asked: RequestToSend): Promise<Response> {
  const { request } = asked
  const body = await bodyToSend(asked)
  for (let call: Call = { request, url: request.url, method: request.method, body }, hops = 0; ; hops++) {
    const response = await answerOf(server, url, call)
    const next = redirected(call, response, hops)
    if (next === undefined) return responseOf(response, call, hops > 0)
    response.resume()
    call = next
  }
}

/** Resolves with the head of the answer. */
function answerOf(server: Server, base: string, { request, url, method, body }: Call): Promise<IncomingMessage> {
  const { signal } = request
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    if (!server.listening) return reject(failed(new Error('The server is closed.')))
    const { pathname, search } = new URL(url)
    const connect = () => {
      const { client, server: end } = ConnectionEnd.pair()
      server.emit('connection', end)
      return client
    }
    const sent = untouched.http({
      method,
      path: `${pathname}${search}`,
      headers: { ...headersOf(request, body), host: new URL(base).host },
      createConnection: connect as never,
    })
    const abort = () => sent.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    sent.once('close', () => signal.removeEventListener('abort', abort))
    sent.once('response', (answer) => {
      // Nobody waits for the rest of an upload whose answer is read, or is not wanted.
      if (body instanceof Readable) answer.once('close', () => body.destroy())
      resolve(answer)
    })
    sent.once('error', (error) => reject(signal.aborted ? signal.reason : failed(error)))
    if (body instanceof Readable) pipeline(body, sent, () => {})
    else sent.end(body ?? undefined)
  })
}

function headersOf({ headers }: Request, body: Call['body']): Record<string, string> {
  const sent = { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(headers) }
  return Buffer.isBuffer(body) ? { ...sent, 'content-length': String(body.byteLength) } : sent
}

function responseOf(answer: IncomingMessage, { request, url, method }: Call, wasRedirected: boolean): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  // `Response` takes none for them.
  const bodiless = BODILESS.has(status) || method === 'HEAD'
  if (bodiless) answer.resume()
  const body = bodiless ? null : bodyOf(answer, request.signal)
  const response = new Response(body, { status, statusText, headers })
  // What only fetch itself can set.
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: wasRedirected } })
}

/** The body as it comes; where it breaks off, or the caller gives up, reading it fails as it does with `fetch`. */
function bodyOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream {
  const chunks: AsyncIterator<Uint8Array> = decoded(answer)[Symbol.asyncIterator]()
  let abort = () => {}
  const ended = () => signal.removeEventListener('abort', abort)
  return new ReadableStream({
    start(controller) {
      abort = () => {
        controller.error(signal.reason)
        answer.destroy()
      }
      signal.addEventListener('abort', abort, { once: true })
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (signal.aborted) return
        if (done !== true) return controller.enqueue(Uint8Array.from(value))
        ended()
        controller.close()
      } catch (error) {
        ended()
        if (!signal.aborted) controller.error(new TypeError('terminated', { cause: error }))
      }
    },
    cancel() {
      ended()
      answer.destroy()
    },
  })
}
