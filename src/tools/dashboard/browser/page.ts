import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SandboxUse } from '../../../engine/http/admin/sandboxes.js'
import { safeDecodeURIComponent } from '../../../engine/judge/decode.js'
import type { ApiFacts } from '../api-facts.js'

export const apiFacts: ApiFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="countersign"]')?.content ?? '',
)

/** The page may be below a proxy's prefix. */
const [, base = '', name] = /^(.*?)(?:\/~([^/]*))?\/__admin\/[^/]*$/.exec(location.pathname) ?? []

export const currentSandbox = name === undefined ? undefined : decodeURIComponent(name)

/** Ends in a slash. */
export function adminOf(sandbox?: string): string {
  return `${base}${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/`
}

export function labelOf(sandbox: string | undefined): string {
  return sandbox === undefined ? 'root' : `~${sandbox}`
}

export function urlOfSandbox(sandbox: string | undefined): string {
  return new URL(adminOf(sandbox), location.href).href.replace(/\/__admin\/$/, '')
}

/** Longest unused first. */
export interface SandboxList {
  readonly sandboxes: readonly (SandboxUse & { readonly name: string })[]
  readonly root: SandboxUse
}

export function useAddress(): readonly string[] {
  const [address, setAddress] = useState(readAddress)
  useHashChange(() => setAddress(readAddress()))
  return address
}

export function linkTo(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** Kept in the address behind a question mark. */
export function useFilter<Filter extends Readonly<Record<string, string>>>(none: Filter) {
  const read = (): Filter => {
    const query = new URLSearchParams(location.hash.split('?')[1])
    return { ...none, ...Object.fromEntries(Object.keys(none).map((name) => [name, query.get(name) ?? ''])) }
  }
  const [filter, setFilter] = useState(read)
  useHashChange(() => location.hash.includes('?') && setFilter(read()))
  const address = useAddress()
  const view = address[0] || 'requests'
  const ownView = useRef(view)
  // Links have no query: a view restores its own filter as long as it is shown.
  useLayoutEffect(() => {
    if (view === ownView.current && !location.hash.includes('?')) writeFilter(filter)
  }, [address])
  const change = (changes: Partial<Filter>) => {
    const changed = { ...filter, ...changes }
    writeFilter(changed)
    setFilter(changed)
  }
  return [filter, change] as const
}

function writeFilter(filter: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString()
  const [path] = location.hash.split('?')
  history.replaceState(history.state, '', query === '' ? path : `${path || '#/requests'}?${query}`)
}

function useHashChange(changed: () => void): void {
  useLayoutEffect(() => {
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
}

function readAddress(): readonly string[] {
  const [path = ''] = location.hash.split('?')
  return path
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => safeDecodeURIComponent(part))
}
