import { useEffect, useState } from 'preact/hooks'
import type { ExchangeSummary } from '../../../world/journal/summary.js'
import { useFresh } from '../../fresh.js'
import { MOST_EXCHANGES } from '../../live.js'

/** Milliseconds that somebody who types is waited for. */
const PAUSE = 200

type List = readonly ExchangeSummary[]

/** The exchanges that have some words, which the server looks for in forms and bodies too; without words, all. */
export function useFound(words: string, all: List | undefined): List | undefined {
  const [asked, ask] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => ask(words), PAUSE)
    return () => clearTimeout(timer)
  }, [words])
  const path = `requests?format=summary&limit=${MOST_EXCHANGES}&search=${encodeURIComponent(asked)}`
  const { data } = useFresh<{ requests: List }>(asked.trim() === '' ? undefined : path, ['exchanges', 'journal'])
  if (words.trim() === '') return all
  return data?.requests
}
