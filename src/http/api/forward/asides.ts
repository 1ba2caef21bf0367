import type { IncomingHttpHeaders, OutgoingMessage, ServerResponse } from 'node:http'

/** Passes trailers on; those that Node cannot write are left out, since all else has passed already. */
export function passTrailers(message: OutgoingMessage, raw: readonly string[]): void {
  if (raw.length === 0 || !message.chunkedEncoding) return
  const pairs = Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]] as [string, string])
  try {
    message.addTrailers(pairs)
  } catch {
    // Node reads more than it writes.
  }
}

const EARLY_HINTS = 103

/** Passes on what comes before an answer, as far as Node can say it; HTTP/1.0 knows no such thing. */
export function relayHints(response: ServerResponse, status: number, { link, ...headers }: IncomingHttpHeaders): void {
  if (status !== EARLY_HINTS || link === undefined || response.req.httpVersionMinor === 0) return
  try {
    response.writeEarlyHints({ link, ...headers } as Record<string, string | string[]>)
  } catch {
    // A hint that is no link is no use.
  }
}
