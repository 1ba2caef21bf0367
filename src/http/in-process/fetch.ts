import type { IncomingMessage, Server } from 'node:http'
import type { Call } from './call.js'
import { ConnectionEnd } from './connection.js'
import { decoded } from './content-encoding.js'
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
export async function fetchInProcess({ server, url }: Destination, request: Request): Promise<Response> {
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
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
    sent.once('response', resolve)
    sent.once('error', (error) => reject(signal.aborted ? signal.reason : failed(error)))
    sent.end(body ?? undefined)
  })
}

function headersOf({ headers }: Request, body: Buffer | null): Record<string, string> {
  const sent = { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(headers) }
  return body === null ? sent : { ...sent, 'content-length': String(body.byteLength) }
}

/** Statuses whose answers have no body, for which `Response` takes none. */
const BODILESS = new Set([101, 103, 204, 205, 304])

function responseOf(answer: IncomingMessage, { request, url, method }: Call, wasRedirected: boolean): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  const bodiless = BODILESS.has(status) || method === 'HEAD'
  if (bodiless) answer.resume()
  const body = bodiless ? null : bodyOf(answer, request.signal)
  const response = new Response(body, { status, statusText, headers })
  // What only fetch itself can set.
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: wasRedirected } })
}

/** The body as it comes; where it breaks off, reading it fails as it does with `fetch`. */
function bodyOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream {
  const chunks: AsyncIterator<Uint8Array> = decoded(answer)[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(Uint8Array.from(value))
      } catch (error) {
        controller.error(signal.aborted ? signal.reason : new TypeError('terminated', { cause: error }))
      }
    },
    cancel: () => void chunks.return?.(),
  })
}

function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause })
}
