import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { entryOf, summaryOf } from '../../world/journal/entry.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

/** Milliseconds between signs of life, so that proxies keep the connection. */
const HEARTBEAT = 15_000
/** Clients at once, of all worlds. */
const MOST_CLIENTS = 256
/** Bytes that may wait for a client to read them; one that does not is cut off, and may ask again. */
const MOST_WAITING = 512 * 1024

/** Milliseconds between looks at what else has changed. */
const LOOK_EVERY = 250

const Query = Type.Object({ exchanges: Type.Optional(oneOf(['whole', 'summary'])) }, { additionalProperties: false })

/** Server-sent events: each exchange as it ends, and what else has changed. */
export const events: Resource = (routes, { worldOf, worlds }) => {
  const clients = new Set<ServerResponse>()
  routes.get('/events', { schema: { querystring: Query } }, (request, reply) => {
    if (clients.size >= MOST_CLIENTS) {
      throw new Problem('too-many-clients', `${MOST_CLIENTS} clients are already reading events. Close some of them.`)
    }
    const world = worldOf(request)
    const view = request.query.exchanges === 'summary' ? summaryOf : entryOf
    reply.hijack()
    const { raw } = reply
    reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    clients.add(raw)
    write(raw, ': exchanges follow as they end\n\n')
    const unsubscribe = world.journal.subscribe((exchange) => {
      write(raw, eventOf('exchange', view(exchange), exchange.id))
    })
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    const changed = changesOf(world, worlds)
    const look = setInterval(() => {
      // A sandbox of the same name may have taken its place: whoever listens asks again.
      if (!worlds.includes(world)) return void raw.end()
      const what = changed()
      if (what.length > 0) write(raw, eventOf('change', { what }))
    }, LOOK_EVERY)
    raw.once('close', () => {
      clearInterval(heartbeat)
      clearInterval(look)
      unsubscribe()
      clients.delete(raw)
    })
  })
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded) return
  raw.write(text)
  if (raw.writableLength > MOST_WAITING) raw.destroy()
}

function eventOf(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** What has changed in a world, or about worlds, since it was last asked. */
function changesOf(world: World, worlds: Worlds): () => string[] {
  const look = (): Readonly<Record<string, number>> => ({ ...world.revisions, sandboxes: worlds.revision })
  let before = look()
  return () => {
    const now = look()
    const changed = Object.keys(now).filter((name) => now[name] !== before[name])
    before = now
    return changed
  }
}
