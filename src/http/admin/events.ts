import type { ServerResponse } from 'node:http'
import { type ExchangeEntry, entryOf } from '../../world/journal/entry.js'
import { setDate } from '../date.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

/** Milliseconds between signs of life, so that proxies keep the connection. */
const HEARTBEAT = 15_000
/** Clients at once, of all worlds. */
const MOST_CLIENTS = 256
/** Bytes that may wait for a client to read them; one that does not is cut off, and may ask again. */
const MOST_WAITING = 512 * 1024

/** Server-sent events: each exchange as it ends. */
export const events: Resource = (routes, { worldOf }) => {
  const clients = new Set<ServerResponse>()
  routes.get('/events', (request, reply) => {
    if (clients.size >= MOST_CLIENTS) {
      throw new Problem('too-many-clients', `${MOST_CLIENTS} clients read events already: close some of them.`)
    }
    const world = worldOf(request)
    setDate(reply, world)
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    } as never)
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    clients.add(raw)
    write(raw, ': exchanges follow as they end\n\n')
    const unsubscribe = world.journal.subscribe((exchange) => write(raw, eventOf(entryOf(exchange))))
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    raw.once('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
      clients.delete(raw)
    })
  })
}

function write(raw: ServerResponse, text: string): void {
  raw.write(text)
  if (raw.writableLength > MOST_WAITING) raw.destroy()
}

function eventOf(entry: ExchangeEntry): string {
  return `id: ${entry.id}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`
}
