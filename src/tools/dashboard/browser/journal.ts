import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ExchangeSummary, pendingOf } from '../../../engine/journal/entry.js'
import { serialOf } from '../../../engine/journal/journal.js'
import { useAdminQuery } from './admin.js'
import { onChange } from './live.js'
import { apiFacts } from './page.js'

/** The most answered exchanges in the list; it shows all pending ones. */
export const MAX_LISTED = Math.min(1_000, apiFacts.journalSize)

const PATH = `requests?format=summary&pending=true&limit=${MAX_LISTED}`

/** Pending exchanges have no duration. */
export type ListedExchange = Omit<ExchangeSummary, 'duration'> &
  Partial<Pick<ReturnType<typeof pendingOf>, 'received' | 'elapsed'>> & { readonly duration: number | null }

interface ListedJournal {
  readonly requests: readonly ListedExchange[]
}

/** Fetches at the start, after a reset and after lost events; events add the rest. */
export function useJournal() {
  const { data, failure } = useAdminQuery<ListedJournal>(PATH, ['journal'])
  const streamed = useStreamedEntries()
  const all = useMemo(() => {
    const known = new Map(data?.requests.map((one) => [one.id, one]))
    for (const one of streamed) {
      const before = known.get(one.id)
      // A pending entry must not replace an answered one.
      if (before === undefined || before.duration === null) known.set(one.id, one)
    }
    let answered = 0
    const sorted = [...known.values()].sort((a, b) => serialOf(b.id) - serialOf(a.id))
    return sorted.filter(({ duration }) => duration === null || ++answered <= MAX_LISTED)
  }, [data, streamed])
  return { isKnown: data !== undefined, failure, all }
}

/** Searches on the server, which has the bodies; keeps the last result while it waits. */
export function useSearch(search: string, all: readonly ListedExchange[]) {
  const path = search.trim() === '' ? undefined : `${PATH}&search=${encodeURIComponent(search)}`
  const { latest = { requests: all }, failure } = useAdminQuery<ListedJournal>(path, ['begin', 'exchanges', 'journal'])
  return { failure, found: path === undefined ? all : failure ? [] : latest.requests }
}

/** Entries of events since the last fetch, drawn once a frame. */
function useStreamedEntries(): readonly ListedExchange[] {
  const [streamed, setStreamed] = useState<readonly ListedExchange[]>([])
  useEffect(() => {
    let entries = new Map<string, ListedExchange>()
    let frame = 0
    const draw = () => {
      frame = 0
      entries = new Map([...entries].slice(-MAX_LISTED))
      setStreamed([...entries.values()])
    }
    const unsubscribe = onChange((changed, text) => {
      if (text !== undefined) {
        const entry: ListedExchange = JSON.parse(text)
        entries.set(entry.id, entry)
        frame ||= requestAnimationFrame(draw)
      }
      // After a reset, ids begin anew.
      if (changed !== 'all' && !changed.includes('journal')) return
      entries.clear()
      draw()
    })
    return () => {
      unsubscribe()
      cancelAnimationFrame(frame)
    }
  }, [])
  return streamed
}
