import type { SandboxUse } from '../../../engine/http/admin/sandboxes.js'
import type { ApiFacts } from '../api-facts.js'

export const apiFacts: ApiFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="countersign"]')?.content ?? '',
)

/** The page may be below a proxy's prefix. */
const [, base = '', name] = /^(.*?)(?:\/~([^/]*))?\/__admin\/[^/]*$/.exec(location.pathname) ?? []

export const sandboxHere = name === undefined ? undefined : decodeURIComponent(name)

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
