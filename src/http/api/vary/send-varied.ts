import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Varied } from './vary.js'

/** Where chunks end, as shares of the body: a letter may be cut in two, as networks do. */
const CUTS = [0.1, 0.45, 0.8]

/**
 * Has an answer sent as it was varied. Fastify writes the names of headers in lower case, adds a charset, and adds the
 * length of every text: what it hands to Node is changed on the way, for this one answer.
 */
export function sendVaried(raw: ServerResponse, { headerName, chunked }: Varied, contentType: string): void {
  const { writeHead, end } = raw
  Object.assign(raw, {
    writeHead: (status: number, headers: OutgoingHttpHeaders) => {
      const own: OutgoingHttpHeaders = { ...headers, 'content-type': contentType }
      const sent = Object.entries(own).filter(([name]) => !chunked || name !== 'content-length')
      return writeHead.call(raw, status, Object.fromEntries(sent.map(([name, value]) => [headerName(name), value])))
    },
  })
  if (!chunked) return
  Object.assign(raw, {
    end: (payload: string) => {
      const bytes = Buffer.from(payload)
      const ends = CUTS.map((share) => Math.floor(bytes.length * share))
      for (const [at, to] of ends.entries()) raw.write(bytes.subarray(ends[at - 1] ?? 0, to))
      return end.call(raw, bytes.subarray(ends.at(-1)), 'utf8')
    },
  })
}
