import { useEffect, useState } from 'preact/hooks'
import { jsonOr } from '../../../engine/contract/json.js'
import type { FileComplaint } from '../../../engine/files/invalid-files.js'
import { isReady, onChange, type Topic } from './live.js'
import { signInAgain } from './sign-in.js'

export class CallError extends Error {
  /** Undefined if no answer came. */
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
  const answer = await fetch(path, { cache: 'no-store', ...init }).catch(() => {
    throw new CallError('The server cannot be reached.')
  })
  const { ok, status, headers } = answer
  const text = await answer.text()
  ahead = Date.parse(headers.get('date') ?? '') - Date.now() || 0
  if (ok) return text
  if (status === 401) signInAgain()
  const { detail, complaints = [] } = (jsonOr(text, null) ?? {}) as { detail?: string; complaints?: FileComplaint[] }
  throw Object.assign(new CallError(detail ?? `The server answered ${status}.`), { status, complaints })
}

/** Milliseconds between two looks. */
const PAUSE = 400

interface Fetched<T> {
  readonly path: string
  readonly text: string
  readonly data?: T
  readonly failure?: CallError
}

/** Keeps the answer of a path, and fetches it again when a topic changes, and every so many milliseconds. */
export function useAdminQuery<T>(path: string | undefined, topics: readonly Topic[], every?: number) {
  const [known, setKnown] = useState<Fetched<T>>()
  useEffect(() => {
    if (path === undefined) return
    let isOver = false
    const look = paced(async () => {
      const found = await fetchJson<T>(path)
      if (found === undefined || isOver) return
      setKnown((before) => (before?.path === path && before.text === found.text ? before : found))
    })
    const unsubscribe = onChange((changed) => {
      if (changed === 'all' || topics.some((topic) => changed.includes(topic))) look()
    })
    const timer = every && setInterval(() => document.hidden || look(), every)
    if (isReady) look()
    return () => {
      isOver = true
      unsubscribe()
      clearInterval(timer)
    }
  }, [path, every])
  const current = known?.path === path ? known : undefined
  return { data: current?.data, failure: current?.failure, latest: known?.data }
}

async function fetchJson<T>(path: string): Promise<Fetched<T> | undefined> {
  try {
    const text = await getText(path)
    return { path, text, data: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof CallError) || error.status === undefined) return undefined
    return { path, text: error.message, failure: error }
  }
}

/** Runs one at a time, with a pause between two; calls in between become one. */
function paced(run: () => Promise<void>): () => void {
  let isBusy = false
  let isWanted = false
  const begin = async () => {
    isWanted = true
    if (isBusy) return
    isBusy = true
    while (isWanted) {
      isWanted = false
      await run()
      await new Promise((later) => setTimeout(later, PAUSE))
    }
    isBusy = false
  }
  return () => void begin()
}
