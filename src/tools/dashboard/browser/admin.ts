import { useEffect, useState } from 'preact/hooks'
import type { FileComplaint } from '../../../engine/files/invalid-files.js'
import { connection, isReady, onChange, type Topic } from './live.js'

export class CallError extends Error {
  /** Undefined while the server does not answer. */
  status?: number
  complaints: readonly FileComplaint[] = []
}

export async function callAdmin(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object | string) {
  const [text, type] = typeof body === 'string' ? [body, 'yaml'] : [JSON.stringify(body), 'json']
  await fetchAdmin(path, { method, ...(text && { body: text, headers: { 'content-type': `application/${type}` } }) })
}

export async function fetchAdmin<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(path, { cache: 'no-store', ...init }).catch(() => {
    throw new CallError('The server does not answer. Check that it is running.')
  })
  const { ok, status, headers } = answer
  const body = await (headers.get('content-type')?.includes('json') ? answer.json() : answer.text())
  if (status === 401) signInAgain()
  else sessionStorage.removeItem(SIGNED_OUT_KEY)
  if (ok) return body
  const { detail = `The server answered ${status}.`, complaints = [] } = body
  throw Object.assign(new CallError(detail), { status, complaints })
}

const SIGNED_OUT_KEY = 'countersign:signed-out'

/** Reloads the page, which then shows a form for the token; only once, since a page without it would reload forever. */
function signInAgain(): void {
  if (sessionStorage.getItem(SIGNED_OUT_KEY) !== null) return
  sessionStorage.setItem(SIGNED_OUT_KEY, 'true')
  location.reload()
}

const PAUSE_MS = 400

/** Keeps the last good answer; fetches it again when a topic changes, and every `intervalMs`. `latest` also keeps the answer of an earlier path. */
export function useAdminQuery<T>(path: string | undefined, topics: readonly Topic[], intervalMs?: number) {
  const [result, setResult] = useState<{ path: string; data?: T; failure?: CallError }>()
  const [refetches, setRefetches] = useState(0)
  useEffect(() => {
    if (path === undefined) return
    let isOver = false
    const load = coalesce(async () => {
      const outcome = await fetchAdmin<T>(path).then(
        (data) => ({ data, failure: undefined }),
        (failure: CallError) => ({ failure }),
      )
      const hasAnswered = outcome.failure === undefined || outcome.failure.status !== undefined
      if (hasAnswered && !isOver) setResult((before) => ({ ...(before?.path === path && before), path, ...outcome }))
    })
    const unsubscribe = onChange((changed) => {
      if (changed === 'all' || topics.some((topic) => changed.includes(topic))) load()
    })
    const timer = intervalMs && setInterval(() => document.hidden || connection === 'connecting' || load(), intervalMs)
    if (isReady) load()
    return () => {
      isOver = true
      unsubscribe()
      clearInterval(timer)
    }
  }, [path, intervalMs, refetches])
  const current = result?.path === path ? result : undefined
  const refetch = () => setRefetches((count) => count + 1)
  return { data: current?.data, failure: current?.failure, latest: result?.data, refetch }
}

/** Never runs twice at once; calls during a run lead to one more run. */
function coalesce(run: () => Promise<void>): () => void {
  let isBusy = false
  let isRequested = false
  const begin = async () => {
    isRequested = true
    if (isBusy) return
    isBusy = true
    while (isRequested) {
      isRequested = false
      await run()
      await new Promise((later) => setTimeout(later, PAUSE_MS))
    }
    isBusy = false
  }
  return () => void begin()
}
