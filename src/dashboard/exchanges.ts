import { useEffect, useState } from 'preact/hooks'
import type { ExchangeSummary } from '../world/journal/summary.js'
import { call } from './api.js'
import { useLive } from './context.js'
import { MOST_EXCHANGES, type News } from './live.js'

type List = readonly ExchangeSummary[]

/** The journal as it grows, newest first; undefined until it has been fetched. */
export function useExchanges(): List | undefined {
  const live = useLive()
  const [list, setList] = useState<List>()
  useEffect(() => {
    /** What ended while the journal is being fetched; undefined at other times. */
    let meanwhile: List | undefined
    let again = false
    const fetchAll = async () => {
      if (meanwhile !== undefined) {
        again = true
        return
      }
      do {
        again = false
        meanwhile = []
        const fetched = await journal()
        if (fetched !== undefined) setList(joined(meanwhile, fetched))
      } while (again)
      meanwhile = undefined
    }
    const unsubscribe = live.subscribe(({ all, topics, exchanges }: News) => {
      if (all || topics.has('journal')) void fetchAll()
      if (exchanges.length === 0) return
      if (meanwhile !== undefined) meanwhile = joined(exchanges, meanwhile)
      setList((before) => before && joined(exchanges, before))
    })
    void fetchAll()
    return unsubscribe
  }, [live])
  return list
}

/** Undefined where the server cannot answer; the next connection asks again. */
async function journal(): Promise<List | undefined> {
  try {
    return (await call<{ requests: List }>(`requests?format=summary&limit=${MOST_EXCHANGES}`)).requests
  } catch {
    return undefined
  }
}

/** The newer ones before the others. An id that comes again stands for another exchange: the journal began anew. */
function joined(newer: List, others: List): List {
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...others.filter(({ id }) => !ids.has(id))].slice(0, MOST_EXCHANGES)
}
