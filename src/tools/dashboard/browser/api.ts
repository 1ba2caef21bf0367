import { jsonOr } from '../../../engine/contract/json.js'
import type { FileComplaint } from '../../../engine/files/invalid-files.js'
import { signInAgain } from './sign-in.js'

export class CallError extends Error {
  status?: number
  complaints: readonly FileComplaint[] = []
}

/** Milliseconds by which the server's clock is ahead of the browser's. */
let ahead = 0

export function serverNow(): number {
  return Date.now() + ahead
}

export async function get<T>(path: string): Promise<T> {
  return JSON.parse(await getText(path))
}

/** Sends an object as JSON, a text as YAML. */
export async function callAdmin(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object | string,
): Promise<void> {
  const [text, type] = typeof body === 'string' ? [body, 'yaml'] : [JSON.stringify(body), 'json']
  await getText(path, { method, ...(text && { body: text, headers: { 'content-type': `application/${type}` } }) })
}

export async function getText(path: string, init?: RequestInit): Promise<string> {
  const { ok, status, text } = await fetch(path, { cache: 'no-store', ...init })
    .then(async (answer) => {
      ahead = Date.parse(answer.headers.get('date') ?? '') - Date.now() || 0
      return { ok: answer.ok, status: answer.status, text: await answer.text() }
    })
    .catch(() => {
      throw new CallError('The server cannot be reached.')
    })
  if (ok) return text
  if (status === 401) signInAgain()
  const { detail, complaints = [] } = (jsonOr(text, null) ?? {}) as { detail?: string; complaints?: FileComplaint[] }
  throw Object.assign(new CallError(detail ?? `The server answered ${status}.`), { status, complaints })
}
