import { useEffect, useState } from 'preact/hooks'

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

function readAddress(hash: string): Address {
  return hash.replace(/^#\/?/, '').split('/').map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
