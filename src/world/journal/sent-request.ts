import type { ExchangeEntry, FileEntry } from './entry.js'
import { isForm, isTyped } from './typed.js'

/** A request as somebody would write it in code. */
export interface SentRequest {
  readonly method: string
  /** The path with its query, in the sandbox. */
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The fields of the form in their order; undefined without a form. */
  readonly form: readonly (readonly [name: string, value: string | FileEntry])[] | undefined
  /** A body that is no form. */
  readonly text: string | null
}

export function sentRequest(entry: ExchangeEntry): SentRequest {
  const { method, request } = entry
  const { body } = request
  const fields = isForm(body) ? Object.entries(body) : undefined
  return {
    method,
    url: urlInSandbox(entry),
    headers: Object.entries(request.headers).filter(([name]) => isTyped(name, body)),
    form: fields?.flatMap(([name, value]) => [value].flat().map((one) => [name, one as string | FileEntry] as const)),
    text: isForm(body) ? null : body,
  }
}

/** The URL of a request with its sandbox, however that was named. */
export function urlInSandbox({
  url,
  sandbox,
  sandboxBy,
}: Pick<ExchangeEntry, 'url' | 'sandbox' | 'sandboxBy'>): string {
  return sandbox === null || sandboxBy === 'url' ? url : `/~${sandbox}${url}`
}
