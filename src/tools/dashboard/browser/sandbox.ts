import type { SandboxUse } from '../../../engine/http/admin/sandboxes.js'

/** The page may be below a prefix, in the admin of the root or of a sandbox. */
const [, base = '', name] = /^(.*?)(?:\/~([^/]*))?\/__admin\/[^/]*$/.exec(location.pathname) ?? []

export const sandboxHere = name === undefined ? undefined : decodeURIComponent(name)

/** With a slash at its end; without a name, of the root. */
export function adminOf(sandbox?: string): string {
  return `${base}${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/`
}

export function labelOf(sandbox: string | undefined): string {
  return sandbox === undefined ? 'root' : `~${sandbox}`
}

export function urlOfSandbox(sandbox: string | undefined): string {
  return new URL(adminOf(sandbox), location.href).href.replace(/\/__admin\/$/, '')
}

/** The longest unused sandbox first. */
export interface SandboxList {
  readonly sandboxes: readonly (SandboxUse & { readonly name: string })[]
  readonly root: SandboxUse
}
