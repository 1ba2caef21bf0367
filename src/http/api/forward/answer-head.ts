import type { IncomingHttpHeaders } from 'node:http'
import { outcomeId } from '../../../../schemas/contract.js'
import type { Call } from '../call.js'
import { isEndToEnd } from './end-to-end.js'

/** What only the mock on the way says; a provider that is a mock itself says it of its own exchange. */
const OURS: ReadonlySet<string> = new Set(['x-mock-outcome', 'x-mock-exchange'])

type Head = Record<string, string | string[]>

/** The head of the provider's answer as the client gets it. */
export function answerHead(call: Call, status: number, headers: IncomingHttpHeaders): Head {
  const { request, reply, contract, preferences } = call
  const fromOrigin = request.headers.origin !== undefined
  const head: Head = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OURS.has(name) || !isEndToEnd(name, headers.connection)) continue
    // The browser talks to the mock, which lets its page read the answer.
    if (!(fromOrigin && name.startsWith('access-control-'))) head[name] = value
  }
  head['x-mock-outcome'] = outcomeId(contract, status)
  head['x-mock-exchange'] = request.arrival?.exchange.id ?? ''
  if (preferences !== null) head['preference-applied'] = preferences.applied
  if (!fromOrigin) return head
  const exposed = [
    reply.getHeader('access-control-expose-headers') ?? [],
    headers['access-control-expose-headers'] ?? [],
  ].flat()
  head['access-control-expose-headers'] = exposed.join(', ')
  return head
}
