/** Where the page is: below any prefix, at the root's admin or at that of a sandbox. */
const [, base = '', name] = /^(.*?)(?:\/~([^/]*))?\/__admin\/[^/]*$/.exec(location.pathname) ?? []

/** The sandbox that the page is about; undefined for the root. */
export const sandboxHere = name === undefined ? undefined : decodeURIComponent(name)

/** The admin of a world, with a slash at its end; without a name, of the root. */
export function adminOf(sandbox?: string): string {
  return `${base}${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/`
}
