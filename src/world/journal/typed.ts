import type { ExchangeEntry } from './entry.js'

/** Whether somebody types a header: a client sends others by itself, or the URL has what they say. */
export function isTyped(name: string, body: Body): boolean {
  return !BY_ITSELF.test(name) && (name !== 'content-type' || typeof body === 'string')
}

const BY_ITSELF =
  /^(host|connection|content-length|transfer-encoding|expect|accept|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|sec-.*|dnt|priority|x-mock-sandbox)$/

/** A body as the journal shows it. */
export type Body = ExchangeEntry['request']['body']

export function isForm(body: Body): body is Exclude<Body, string | null> {
  return typeof body === 'object' && body !== null
}
