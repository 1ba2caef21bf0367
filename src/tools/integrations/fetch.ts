import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { MessagePort } from 'node:worker_threads'
import { quote } from '../../engine/contract/wording.js'
import { withoutEndingSlashes } from '../../engine/http/slashes.js'
import type { AdminClient } from './admin-api.js'

let undici: ReturnType<typeof loadUndici> | undefined

/** With the bundled undici, so that MSW and other interceptors do not see the call. @throws {TypeError} if the connection fails */
export async function fetchBy(client: AdminClient, url: string, request: PlainRequest): Promise<Response> {
  undici ??= loadUndici()
  const { Agent, fetch } = await undici
  const dispatcher = new Agent({
    // Idle connections would delay the server's close; with 0, undici breaks on unread bodies.
    keepAliveTimeout: 1,
    connect: ({ protocol, host }, done) => {
      client.connect(new URL(`${protocol}//${host}`)).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
    },
  })
  return fetch(url, { ...request, signal: follow(request.signal), duplex: 'half', dispatcher })
}

/** undici accepts only Node's own AbortSignal; jsdom has another class. */
function follow(signal: AbortSignal | null | undefined): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return controller.signal
}

async function loadUndici() {
  // undici needs these, and Jest's jsdom lacks them.
  if (!('MessagePort' in globalThis)) Object.assign(globalThis, { MessagePort })
  if (!('markResourceTiming' in performance)) Object.assign(performance, { markResourceTiming: () => {} })
  const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
  const before = dispatchers.map((dispatcher) => Reflect.get(globalThis, dispatcher))
  const [{ default: Agent }, { default: web }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/web/fetch/index.js'),
  ])
  // undici would replace the agent of Node's fetch.
  for (const [at, dispatcher] of dispatchers.entries()) Reflect.set(globalThis, dispatcher, before[at])
  return { Agent, fetch: web.fetch }
}

/** Uses no class of the test environment, except signals and streams. */
type PlainRequest = Pick<RequestInit, 'method' | 'body' | 'signal' | 'redirect'> & { headers: Pair[] }

type Pair = [name: string, value: string]

/** Environments have their own `Request`, `Headers`, `FormData` and `Blob`. */
export async function plainRequest(input: string | URL | Request, init: RequestInit = {}): Promise<PlainRequest> {
  const request: Partial<Request> = isRequest(input) ? input : {}
  const { content, type } = init.body === undefined ? { content: request.body ?? null } : await plainBody(init.body)
  const given = init.headers ?? request.headers ?? []
  const headers =
    Symbol.iterator in given ? [...(given as Iterable<Pair>)] : Object.entries(given as Record<string, string>)
  const isTyped = type === undefined || headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    method: init.method ?? request.method,
    headers: isTyped ? headers : [...headers, ['content-type', type]],
    body: content,
    signal: init.signal === undefined ? request.signal : init.signal,
    redirect: init.redirect ?? request.redirect,
  }
}

export function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'url' in input
}

async function plainBody(body: RequestInit['body'] | null) {
  if (isBlob(body)) return { content: await bytesOf(body), ...(body.type !== '' && { type: body.type }) }
  if (typeof body !== 'object' || body === null || !('getAll' in body)) return { content: body }
  if ('sort' in body) return { content: String(body), type: 'application/x-www-form-urlencoded;charset=UTF-8' }
  const boundary = `form-${randomUUID()}`
  const parts = await Promise.all(Array.from(body, ([name, value]) => partOf(boundary, name, value)))
  const content = Buffer.concat([...parts.flat(), Buffer.from(`--${boundary}--\r\n`)])
  return { content, type: `multipart/form-data; boundary=${boundary}` }
}

function isBlob(value: unknown): value is Blob {
  return typeof value === 'object' && value !== null && 'size' in value && 'slice' in value
}

async function partOf(boundary: string, name: string, value: string | File): Promise<Buffer[]> {
  const begin = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(withCrLf(name))}"`
  if (!isBlob(value)) return [Buffer.from(`${begin}\r\n\r\n${withCrLf(value)}\r\n`)]
  const file = `filename="${escapeName(value.name)}"\r\ncontent-type: ${value.type || 'application/octet-stream'}`
  return [Buffer.from(`${begin}; ${file}\r\n\r\n`), await bytesOf(value), Buffer.from('\r\n')]
}

function withCrLf(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, '\r\n')
}

function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer())
}

export interface ServerAddress {
  readonly serverUrl: string
  /** Behind a proxy. */
  readonly publicUrl?: string
}

/** Takes paths, URLs of the server, and the paths of other URLs. @throws {TypeError} for an invalid URL */
export function urlIn(url: string, { serverUrl, publicUrl }: ServerAddress, input: string): string {
  if (/^\/(?!\/)/.test(input)) return `${url}${input}`
  if (!URL.canParse(input) || !/^https?:/i.test(input))
    throw new TypeError(`${quote(input)} cannot be fetched. Pass a path that begins with / or an http URL.`)
  const asked = new URL(input)
  for (const base of [serverUrl, publicUrl]) {
    if (base === undefined || !isSameServer(asked, new URL(base))) continue
    const prefix = withoutEndingSlashes(new URL(base).pathname)
    const isBelow = `${asked.pathname}/`.startsWith(`${prefix}/`)
    if (isBelow) return `${serverUrl}${asked.pathname.slice(prefix.length)}${asked.search}`
  }
  return `${url}${asked.pathname}${asked.search}`
}

/** Another loopback address may be another server's. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `localhost` and `127.0.0.1` are one machine. */
export function isSameServer(one: URL, other: URL): boolean {
  if (one.protocol !== other.protocol || one.port !== other.port) return false
  return one.hostname === other.hostname || (THIS_MACHINE.has(one.hostname) && THIS_MACHINE.has(other.hostname))
}
