import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'

/** Uses no class of the environment, except signals and streams. */
export type PlainRequest = Pick<RequestInit, 'method' | 'body' | 'signal' | 'redirect'> & { headers: Pair[] }

type Pair = [name: string, value: string]
type Body = NonNullable<RequestInit['body']>

interface PlainBody {
  readonly content: Body | null
  readonly type?: string
}

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

async function plainBody(body: Body | null): Promise<PlainBody> {
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
