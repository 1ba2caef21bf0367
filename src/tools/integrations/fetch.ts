import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { MessagePort } from 'node:worker_threads'
import { quote } from '../../engine/contract/wording.js'
import { withoutTrailingSlashes } from '../../engine/http/slashes.js'
import type { AdminClient } from './admin-api.js'

let undici: ReturnType<typeof loadUndici> | undefined

/** Uses the bundled undici, which MSW and other interceptors do not see. @throws {TypeError} without a connection */
export async function fetchVia(client: AdminClient, url: string, request: PlainRequest): Promise<Response> {
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
  return fetch(url, { ...request, signal: toNodeSignal(request.signal), duplex: 'half', dispatcher })
}

/** undici accepts only Node's own AbortSignal; jsdom has another class. */
function toNodeSignal(signal: AbortSignal | null | undefined): AbortSignal {
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
  const keys = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
  const dispatchers = keys.map((key) => Reflect.get(globalThis, key))
  const [{ default: Agent }, { default: web }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/web/fetch/index.js'),
  ])
  // The import replaces the agent of Node's fetch.
  for (const [at, key] of keys.entries()) Reflect.set(globalThis, key, dispatchers[at])
  return { Agent, fetch: web.fetch }
}

/** Contains no object of a class that the test environment may replace, except signals and streams. */
type PlainRequest = Pick<RequestInit, 'method' | 'body' | 'signal' | 'redirect'> & { headers: Pair[] }

type Pair = [name: string, value: string]

/** Test environments replace `Request`, `Headers`, `FormData` and `Blob`. */
export async function plainRequest(input: string | URL | Request, init: RequestInit = {}): Promise<PlainRequest> {
  const request: Partial<Request> = isRequest(input) ? input : {}
  const { content, type } = init.body === undefined ? { content: request.body ?? null } : await plainBody(init.body)
  const source = init.headers ?? request.headers ?? []
  const headers =
    Symbol.iterator in source ? [...(source as Iterable<Pair>)] : Object.entries(source as Record<string, string>)
  const needsNoType = type === undefined || headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    method: init.method ?? request.method,
    headers: needsNoType ? headers : [...headers, ['content-type', type]],
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
  // URLSearchParams.
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
  /** The server's base URL behind a proxy. */
  readonly publicUrl?: string
}

/** Accepts paths and URLs; of another server's URL, only path and query count. @throws {TypeError} for an invalid URL */
export function resolveUrl(sandboxUrl: string, { serverUrl, publicUrl }: ServerAddress, input: string): string {
  if (/^\/(?!\/)/.test(input)) return `${sandboxUrl}${input}`
  if (!URL.canParse(input) || !/^https?:/i.test(input))
    throw new TypeError(`${quote(input)} cannot be fetched. Pass a path that begins with / or an http URL.`)
  const url = new URL(input)
  for (const base of [serverUrl, publicUrl]) {
    if (base === undefined || !isSameServer(url, new URL(base))) continue
    const prefix = withoutTrailingSlashes(new URL(base).pathname)
    if (`${url.pathname}/`.startsWith(`${prefix}/`))
      return `${serverUrl}${url.pathname.slice(prefix.length)}${url.search}`
  }
  return `${sandboxUrl}${url.pathname}${url.search}`
}

/** On other loopback addresses, other servers may listen at the same port. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `localhost` and `127.0.0.1` are one machine. */
export function isSameServer(one: URL, other: URL): boolean {
  if (one.protocol !== other.protocol || one.port !== other.port) return false
  return one.hostname === other.hostname || (THIS_MACHINE.has(one.hostname) && THIS_MACHINE.has(other.hostname))
}
