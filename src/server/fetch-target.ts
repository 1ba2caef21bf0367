import { isLoopback } from '../http/loopback.js'
import { quote } from '../text/wording.js'

/** The world that a handle calls. */
export interface FetchTarget {
  /** The world's base URL. */
  readonly url: string
  /** The server's. */
  readonly serverUrl: string
  /** What links of the server begin with, where a proxy stands before it. */
  readonly publicUrl?: string
}

/**
 * The request to a world: a path from `/` is below its base URL, a URL of the server stays as it is, and of any other
 * URL the path is kept.
 * @throws {TypeError} for what is no URL
 */
export function requestTo(target: FetchTarget, input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request) return new Request(urlIn(target, input.url), new Request(input, init))
  return new Request(urlIn(target, String(input)), init)
}

function urlIn({ url, serverUrl, publicUrl }: FetchTarget, input: string): string {
  if (/^\/(?!\/)/.test(input)) return `${url}${input}`
  const absolute = input.startsWith('//') ? `http:${input}` : input
  if (!URL.canParse(absolute) || !/^https?:/i.test(absolute))
    throw new TypeError(`${quote(input)} cannot be fetched: give a path from / or an http URL.`)
  const asked = new URL(absolute)
  if (publicUrl !== undefined && isBelow(asked.href, publicUrl))
    return `${serverUrl}${asked.href.slice(lengthOf(publicUrl))}`
  const path = `${asked.pathname}${asked.search}`
  return isSameServer(asked, new URL(serverUrl)) ? `${serverUrl}${path}` : `${url}${path}`
}

function isBelow(href: string, base: string): boolean {
  return href.startsWith(base) && /^(\/|\?|#|$)/.test(href.slice(lengthOf(base)))
}

const lengthOf = (base: string) => base.replace(/\/+$/, '').length

/** `localhost` and `127.0.0.1` are one machine. */
function isSameServer(one: URL, other: URL): boolean {
  return one.host === other.host || (one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname))
}
