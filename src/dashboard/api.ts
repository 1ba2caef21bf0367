import { jsonOr } from '../text/json.js'
import { signInAgain } from './sign-in.js'

interface FileComplaint {
  /** Such as `rules[1].answer.status`. */
  readonly path: string
  /** Where it is in the text that was sent, from 1. */
  readonly line?: number
  readonly column?: number
  readonly message: string
}

/** A call that was refused, or that never arrived. */
export class Failure extends Error {
  /** Undefined where the server could not be reached. */
  status?: number
  complaints: readonly FileComplaint[] = []
}

/** Reads a text from the admin API, whose paths are relative to this page. */
export function getText(path: string): Promise<string> {
  return request(path)
}

export async function get<T>(path: string): Promise<T> {
  return JSON.parse(await request(path))
}

/** Changes something on the server. A text is YAML or JSON as it was written. */
export async function send(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object | string,
): Promise<void> {
  const [text, type] = typeof body === 'string' ? [body, 'yaml'] : [JSON.stringify(body), 'json']
  await request(path, { method, ...(text && { body: text, headers: { 'content-type': `application/${type}` } }) })
}

async function request(path: string, init?: RequestInit): Promise<string> {
  const { ok, status, text } = await fetch(path, { cache: 'no-store', ...init })
    .then(async (answer) => ({ ok: answer.ok, status: answer.status, text: await answer.text() }))
    .catch(() => {
      throw new Failure('The server cannot be reached.')
    })
  if (ok) return text
  if (status === 401) signInAgain()
  // A proxy may answer with anything.
  const { detail, complaints = [] } = (jsonOr(text, null) ?? {}) as { detail?: string; complaints?: FileComplaint[] }
  throw Object.assign(new Failure(detail ?? `The server answered ${status}.`), { status, complaints })
}
