import { signInAgain } from './sign-in.js'

/** What is wrong with one part of what was sent. */
export interface Complaint {
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
  readonly status: number | undefined
  readonly complaints: readonly Complaint[]

  constructor(message: string, status?: number, complaints: readonly Complaint[] = []) {
    super(message)
    this.status = status
    this.complaints = complaints
  }
}

/** What a call sends. */
interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** A body in JSON or YAML as somebody wrote it, in whose text mistakes are found. */
  readonly text?: string
  readonly signal?: AbortSignal
}

/**
 * Calls the admin API, whose paths are relative to this page, and resolves with the answer as text.
 * @throws {Failure} with the sentence of the server's problem
 */
export async function callText(
  path: string,
  { method = 'GET', body, text: written, signal }: Sent = {},
): Promise<string> {
  const [sent, type] = written === undefined ? [JSON.stringify(body), 'json'] : [written, 'yaml']
  const content = sent === undefined ? {} : { body: sent, headers: { 'content-type': `application/${type}` } }
  let answer: Response
  let text: string
  try {
    answer = await fetch(path, { method, cache: 'no-store', signal: signal ?? null, ...content })
    text = await answer.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Failure('The server cannot be reached.')
  }
  if (answer.ok) return text
  if (answer.status === 401) signInAgain()
  throw failureOf(answer, text)
}

/** As `callText`, with the answer parsed. */
export async function call<T>(path: string, sent?: Sent): Promise<T> {
  return JSON.parse(await callText(path, sent))
}

function failureOf({ status }: Response, text: string): Failure {
  try {
    const { detail, complaints } = JSON.parse(text)
    if (typeof detail === 'string') return new Failure(detail, status, complaints ?? [])
  } catch {
    // A proxy may answer with anything.
  }
  return new Failure(`The server answered ${status}.`, status)
}
