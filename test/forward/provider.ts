import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { type MockServerOptions, startMockServer } from '../../src/index.js'
import { run } from '../command-line.js'
import { type Answer, fetchUrl, requestOf, type ServerParts, type Settings } from '../helper.js'
import { listeningServer } from '../wire.js'

export type RawAnswer = string | Uint8Array | ((socket: Socket, nth: number) => void)

/** Listens at a port, or at any free one. When the test ends, closes the server and its connections. */
export async function listen(t: Test, server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A provider that answers each complete request with these bytes, or by a function. */
export async function rawProvider(t: Test, answer: RawAnswer) {
  const requests: Buffer[] = []
  const sockets: Socket[] = []
  let nth = 0
  const server = createTcp({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.push(socket)
    let rest = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (let end = endOfRequest(rest); end > 0; end = endOfRequest(rest)) {
        requests.push(rest.subarray(0, end))
        rest = rest.subarray(end)
        if (typeof answer === 'function') answer(socket, nth++)
        else socket.write(answer)
      }
    })
  })
  return { url: `http://127.0.0.1:${await listen(t, server)}`, requests, sockets }
}

function endOfRequest(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return -1
  const fields = bytes.toString('latin1', 0, head)
  const body = head + 4
  const length = Number(/^content-length: *(\d+)/im.exec(fields)?.[1] ?? 0)
  if (!/^transfer-encoding: *chunked/im.test(fields)) return bytes.length >= body + length ? body + length : -1
  const last = bytes.indexOf('\r\n0\r\n', body - 2)
  const end = bytes.indexOf('\r\n\r\n', last)
  return last < 0 || end < 0 ? -1 : end + 4
}

export async function provider(t: Test, listener: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  return { url: `http://127.0.0.1:${await listen(t, server)}` }
}

/** A mock that forwards to a provider, and waits for it one second at most. */
export function inFront(t: Test, url: string, overrides: Partial<Settings> = {}, parts: ServerParts = {}) {
  return listeningServer(t, { provider: url, ...overrides }, { timeouts: { connect: 1_000, idle: 1_000 }, ...parts })
}

export const histories: InjectOptions & { url: string } = requestOf(listCreditHistories)
export const goodHistories = jsonAnswer(sampleBody(listCreditHistories, 200))

export async function forwarding(t: Test, answer: RawAnswer, overrides?: Partial<Settings>) {
  const { url: target, requests, sockets } = await rawProvider(t, answer)
  return { target, requests, sockets, ...(await inFront(t, target, overrides)) }
}

export function ask(request: typeof histories, base: string, more: object = {}): Promise<Answer> {
  const { url, method, headers, payload } = request
  return fetchUrl(base + url, { method, headers: { ...headers, ...more }, body: payload } as RequestInit)
}

export async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

export function jsonAnswer(body: unknown, head: readonly string[] = [], status = '200 OK'): string {
  const text = JSON.stringify(body)
  const fields = ['Content-Type: application/json', ...head, `Content-Length: ${Buffer.byteLength(text)}`]
  return `HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n${text}`
}

export const TOKEN = 'token-admin'

export async function verify(t: Test, url: string, ...argv: string[]) {
  const { code, out, err } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--retries', '0', ...argv])
  return { code, text: `${err}${out}` }
}

export async function countersign(t: Test, options: MockServerOptions = {}) {
  const mock = await startMockServer({ port: 0, ...options })
  t.teardown(() => mock.close())
  return mock
}

export async function stub(t: Test, listener: RequestListener): Promise<string> {
  const { url } = await provider(t, (request, response) => {
    request.resume()
    listener(request, response)
  })
  return url
}

export function answering(status: number, body: unknown, type = 'application/json', headers = {}): RequestListener {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (_, response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}
