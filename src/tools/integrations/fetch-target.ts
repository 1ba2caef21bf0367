import { quote } from '../../engine/contract/wording.js'
import { withoutEndingSlashes } from '../../engine/http/slashes.js'

export interface ServerAddress {
  readonly serverUrl: string
  /** Behind a proxy. */
  readonly publicUrl?: string
}

/** Takes paths, URLs of the server, and the paths of other URLs. @throws {TypeError} for an invalid URL */
export function urlIn(url: string, { serverUrl, publicUrl }: ServerAddress, input: string): string {
  if (/^\/(?!\/)/.test(input)) return `${url}${input}`
  if (!URL.canParse(input) || !/^https?:/i.test(input))
    throw new TypeError(`${quote(input)} cannot be fetched. Pass a path that begins with / or an http URL.`)
  const asked = new URL(input)
  for (const base of [serverUrl, publicUrl]) {
    if (base === undefined || !isSameServer(asked, new URL(base))) continue
    const prefix = withoutEndingSlashes(new URL(base).pathname)
    const isBelow = `${asked.pathname}/`.startsWith(`${prefix}/`)
    if (isBelow) return `${serverUrl}${asked.pathname.slice(prefix.length)}${asked.search}`
  }
  return `${url}${asked.pathname}${asked.search}`
}

/** Another loopback address may be another server's. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `localhost` and `127.0.0.1` are one machine. */
export function isSameServer(one: URL, other: URL): boolean {
  if (one.protocol !== other.protocol || one.port !== other.port) return false
  return one.hostname === other.hostname || (THIS_MACHINE.has(one.hostname) && THIS_MACHINE.has(other.hostname))
}
