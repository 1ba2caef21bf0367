import { useEffect, useState } from 'preact/hooks'
import { unescaped } from '../text/unescaped.js'

/** The parts of the address behind the hash: `#/requests/x12` is `['requests', 'x12']`. */
export type Address = readonly string[]

export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress)
  useEffect(() => {
    const changed = () => setAddress(readAddress())
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return address
}

/** The link to an address. */
export function linkTo(...parts: Address): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

type Filter = Readonly<Record<string, string>>

/**
 * What a list is filtered and sorted by, which stands in the address behind a question mark: after a reload, for a
 * colleague, and on the way back. An empty text stands for any.
 */
export function useFilter<T extends Filter>(nothing: T, open: string | undefined): [T, (changes: Partial<T>) => void] {
  const [filter, set] = useState(() => readFilter(nothing))
  useEffect(() => {
    const changed = () => {
      // A link to a row has none: the list stays as it is.
      if (location.hash.includes('?')) set(readFilter(nothing))
    }
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  useEffect(() => writeFilter(filter), [filter, open])
  return [filter, (changes) => set({ ...filter, ...changes })]
}

function readFilter<T extends Filter>(nothing: T): T {
  const query = new URLSearchParams(location.hash.split('?')[1] ?? '')
  return Object.fromEntries(Object.keys(nothing).map((name) => [name, query.get(name) ?? ''])) as T
}

function writeFilter(filter: Filter): void {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString()
  const path = location.hash.split('?')[0] || '#/requests'
  const hash = query === '' ? path : `${path}?${query}`
  if (hash !== location.hash && (query !== '' || location.hash !== '')) history.replaceState(history.state, '', hash)
}

function readAddress(): Address {
  return (location.hash.split('?')[0] ?? '')
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => unescaped(part))
}
