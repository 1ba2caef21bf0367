import type { FileEntry } from '../contract/fields.js'
import type { KeptForm } from '../judge/received-request.js'
import type { ExchangeEntry } from './entry.js'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly form?: readonly (readonly [name: string, value: string | FileEntry])[] | undefined
  readonly text?: string | null
}

export function sentRequest(entry: ExchangeEntry, origin = ''): SentRequest {
  const { request } = entry
  const { body } = request
  const isSent = (name: string) => !AUTOMATIC_HEADER.test(name) && (name !== 'content-type' || typeof body === 'string')
  const headers = Object.entries(request.headers).filter(([name]) => isSent(name))
  const sent = { method: entry.method ?? '', url: `${origin}${urlInSandbox(entry)}`, headers }
  if (!isForm(body)) return { ...sent, text: body }
  const form = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, item as string | FileEntry] as const),
  )
  return { ...sent, form }
}

/** Adds the sandbox to the URL if the request named it elsewhere. */
export function urlInSandbox({ url, sandbox, sandboxBy }: Pick<ExchangeEntry, 'url' | 'sandbox' | 'sandboxBy'>) {
  return sandbox === null || sandboxBy === 'url' ? (url ?? '') : `/~${sandbox}${url ?? ''}`
}

/** Headers that a copy does not need. */
const AUTOMATIC_HEADER =
  /^(host|connection|content-length|transfer-encoding|expect|accept|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|sec-.*|dnt|priority|x-mock-sandbox)$/

export function isForm(body: KeptForm | string | null): body is KeptForm {
  return typeof body === 'object' && body !== null
}
