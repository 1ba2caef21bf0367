import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { outcomeId } from '../../../../schemas/contract.js'
import { endToEnd, valuesOf } from '../../../provider/forward/headers.js'
import type { StepContext } from '../step-context.js'

/** What only the mock on the way says; a provider that is a mock itself says it of its own exchange. */
const OURS: ReadonlySet<string> = new Set(['x-mock-outcome', 'x-mock-exchange'])

/** The head of the provider's answer as the client gets it, names and values in turn. */
export function answerHead(context: StepContext, answer: IncomingMessage): string[] {
  const { request, reply, exchange, contract, preferences, extraHeaders } = context
  const { rawHeaders, statusCode = 0 } = answer
  const fromOrigin = request.headers.origin !== undefined
  const ruled = new Set(Object.keys(extraHeaders ?? {}).map((name) => name.toLowerCase()))
  const isChunked = answer.headers['content-length'] === undefined && request.raw.httpVersionMinor > 0
  const head = endToEnd(rawHeaders, (name, value) => {
    if (OURS.has(name) || ruled.has(name)) return undefined
    // The browser talks to the mock, which lets its page read the answer.
    if (fromOrigin && name.startsWith('access-control-')) return undefined
    // Trailers need chunks.
    if (name === 'trailer' && !isChunked) return undefined
    return value
  })
  head.push('X-Mock-Outcome', outcomeId(contract, statusCode), 'X-Mock-Exchange', exchange.id)
  const applied = preferences?.appliedToForwarded ?? ''
  if (applied !== '') head.push('Preference-Applied', applied)
  for (const [name, value] of Object.entries(extraHeaders ?? {})) head.push(name, value)
  if (fromOrigin) pushCrossOrigin(head, reply.getHeaders(), rawHeaders)
  return head
}

/** The mock's own fields for pages of other origins, with the names that the provider lets them read, too. */
function pushCrossOrigin(head: string[], own: Readonly<Record<string, unknown>>, raw: readonly string[]): void {
  for (const [name, value] of Object.entries(own)) {
    const text = String(value)
    if (name === 'vary') {
      const known = valuesOf(head, 'vary')
        .join()
        .toLowerCase()
        .split(/\s*,\s*/)
      if (!known.includes('origin') && !known.includes('*')) head.push('Vary', text)
    } else if (name === 'access-control-expose-headers') head.push(name, [text, ...exposedBy(raw)].join(', '))
    else if (name.startsWith('access-control-')) head.push(name, text)
  }
}

/** With credentials, `*` is a name like any other: all that there are take its place. */
function exposedBy(raw: readonly string[]): string[] {
  const exposed = valuesOf(raw, 'access-control-expose-headers')
  if (!exposed.some((one) => one.trim() === '*')) return exposed
  return [...new Set(raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()))]
}

/** Writes a head, in its order and spelling where the client is connected; in process there is no wire. */
export function writeHead(response: ServerResponse, status: number, reason: string, head: readonly string[]): void {
  // The time is the provider's to tell.
  response.sendDate = false
  if (response.req.socket instanceof Socket) {
    response.writeHead(status, reason, head as string[])
    return
  }
  for (const [name, value] of Object.entries(asRecord(head))) response.setHeader(name, value)
  response.writeHead(status)
}

/** The fields by their names in lower case, as the journal has them. */
export function asRecord(head: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let at = 0; at < head.length; at += 2) {
    const name = (head[at] as string).toLowerCase()
    const before = record[name]
    record[name] = before === undefined ? (head[at + 1] as string) : `${before}, ${head[at + 1]}`
  }
  return record
}
