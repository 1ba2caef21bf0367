/** Where the page is: below any prefix, at the root's admin or at that of a sandbox. */
const [, base = '', name] = /^(.*?)(?:\/~([^/]*))?\/__admin\/[^/]*$/.exec(location.pathname) ?? []

/** The sandbox that the page is about; undefined for the root. */
export const sandboxHere = name === undefined ? undefined : decodeURIComponent(name)

/** The admin of a world, with a slash at its end; without a name, of the root. */
export function adminOf(sandbox?: string): string {
  return `${base}${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/`
}

/** A world as the page names it: `root`, or `~NAME`. */
export function nameOf(sandbox: string | undefined): string {
  return sandbox === undefined ? 'root' : `~${sandbox}`
}

export function urlOfWorld(sandbox: string | undefined): string {
  return new URL(adminOf(sandbox), location.href).href.replace(/\/__admin\/$/, '')
}

export interface WorldUse {
  readonly requests: number
  /** ISO 8601, by the machine's clock. */
  readonly lastUsed: string | null
  readonly active: readonly string[]
}

/** The root, and the sandboxes in the order of their use, the one that was idle the longest first. */
export interface WorldList {
  readonly sandboxes: readonly (WorldUse & { readonly name: string })[]
  readonly root: WorldUse
}
