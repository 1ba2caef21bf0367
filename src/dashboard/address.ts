import { useEffect, useState } from 'preact/hooks'
import { unescaped } from '../text/unescaped.js'

/** The parts of the address behind the hash: `#/requests/x12` is `['requests', 'x12']`. */
export type Address = readonly string[]

export function useAddress(): Address {
  const [address, setAddress] = useState(() => readAddress(location.hash))
  useEffect(() => {
    const changed = () => setAddress(readAddress(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return address
}

/** The link to an address. */
export function linkTo(...parts: Address): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** What stands behind a question mark in the address: `status=401` of `#/requests?status=401`. */
export function readQuery(): URLSearchParams {
  return new URLSearchParams(location.hash.split('?')[1] ?? '')
}

/** Puts that into the address, in the place of what stood there. */
export function writeQuery(query: URLSearchParams): void {
  const text = query.toString()
  const [path = ''] = location.hash.split('?')
  const hash = text === '' ? path : `${path === '' ? '#/requests' : path}?${text}`
  if (hash !== location.hash) history.replaceState(history.state, '', hash === '' ? location.pathname : hash)
}

function readAddress(hash: string): Address {
  return (hash.split('?')[0] ?? '')
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => unescaped(part))
}
