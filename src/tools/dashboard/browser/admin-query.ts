import { useEffect, useState } from 'preact/hooks'
import { CallError, getText } from './api.js'
import { isReady, onChange, type Topic } from './live.js'

const PAUSE = 400

interface Fetched<T> {
  readonly path: string
  readonly text: string
  readonly data?: T
  readonly failure?: CallError
}

/**
 * Keeps the answer of a path, and fetches it again when a topic changes, and `every` so many milliseconds while it is
 * moving by itself.
 */
export function useAdminQuery<T>(
  path: string | undefined,
  topics: readonly Topic[],
  every?: number,
  isMoving: (data: T) => boolean = () => true,
) {
  const [known, setKnown] = useState<Fetched<T>>()
  useEffect(() => {
    if (path === undefined) return
    let isOver = false
    let last: T | undefined
    const look = paced(async () => {
      const found = await fetchJson<T>(path)
      if (found === undefined || isOver) return
      last = found.data
      setKnown((before) => (before?.path === path && before.text === found.text ? before : found))
    })
    const unsubscribe = onChange((changed) => {
      if (changed === 'all' || topics.some((topic) => changed.includes(topic))) look()
    })
    const timer = every && setInterval(() => document.hidden || (last !== undefined && isMoving(last) && look()), every)
    if (isReady) look()
    return () => {
      isOver = true
      unsubscribe()
      clearInterval(timer)
    }
  }, [path])
  const current = known?.path === path ? known : undefined
  return { data: current?.data, failure: current?.failure }
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
    isWanted = false
    await run()
    await new Promise((later) => setTimeout(later, PAUSE))
    isBusy = false
    if (isWanted) await begin()
  }
  return () => void begin()
}
