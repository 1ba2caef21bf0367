import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { callText, Failure } from './api.js'
import { useLive } from './context.js'
import type { Topic } from './live.js'

/** What the server has at a path. */
export interface AdminQuery<T> {
  /** Undefined until it has been fetched; what it was before while the server cannot be reached. */
  readonly data: T | undefined
  /** Why it was refused. */
  readonly failure: Failure | undefined
  /** Fetches it again. */
  readonly refresh: () => void
}

/** Milliseconds between two fetches of the same path. */
const PAUSE = 400

interface Held<T> {
  readonly path: string
  readonly text: string
  readonly data: T | undefined
  readonly failure: Failure | undefined
}

/** Keeps what the server has at a path; fetches it again whenever one of the topics changes. Without a path, it fetches nothing. */
export function useAdminQuery<T>(path: string | undefined, topics: readonly Topic[] = []): AdminQuery<T> {
  const live = useLive()
  const [held, hold] = useState<Held<T>>()
  const look = useRef<() => void>(() => {})
  const key = topics.join()

  useEffect(() => {
    if (path === undefined) return
    const stop = new AbortController()
    look.current = paced(async () => {
      const found = await fetchHeld<T>(path, stop.signal)
      if (found === undefined || stop.signal.aborted) return
      hold((before) => (before?.path === path && before.text === found.text && !before.failure ? before : found))
    })
    const unsubscribe = live.subscribe((changed) => {
      if (changed === 'all' || topics.some((topic) => changed.has(topic))) look.current()
    })
    look.current()
    return () => {
      stop.abort()
      unsubscribe()
    }
  }, [live, path, key])

  const current = held?.path === path ? held : undefined
  return { data: current?.data, failure: current?.failure, refresh: useCallback(() => look.current(), []) }
}

/** Undefined if the server could not be reached: what is known stays. */
async function fetchHeld<T>(path: string, signal: AbortSignal): Promise<Held<T> | undefined> {
  try {
    const text = await callText(path, { signal })
    return { path, text, data: JSON.parse(text), failure: undefined }
  } catch (error) {
    if (!(error instanceof Failure) || error.status === undefined) return undefined
    return { path, text: '', data: undefined, failure: error }
  }
}

/** Runs one at a time, at once or a pause after the last one; calls in between become one. */
function paced(run: () => Promise<void>): () => void {
  let busy = false
  let wanted = false
  const begin = async () => {
    busy = true
    wanted = false
    await run()
    await new Promise((later) => setTimeout(later, PAUSE))
    busy = false
    if (wanted) void begin()
  }
  return () => {
    wanted = true
    if (!busy) void begin()
  }
}
