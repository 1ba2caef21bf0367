import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { oneOf } from '../../../../schemas/common.js'
import { entryOf, summaryOf } from '../../sandbox/journal/views/entry.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import { partial, type Resource } from './resource.js'

/** Milliseconds between comments that keep a proxy from closing the connection. */
const HEARTBEAT = 15_000
/** Bytes that may wait for a slow client before it is disconnected. */
const MOST_WAITING = 512 * 1024

/** Milliseconds between checks for other changes. */
const LOOK_EVERY = 250

const Query = partial({ exchanges: oneOf(['whole', 'summary']) })

/** Server-sent events: `exchange` as each one ends, `change` with the names of other things that changed. */
export const events: Resource = (routes, { sandboxes }) => {
  routes.get('/events', { schema: { querystring: Query } }, (request, reply) => {
    const { sandbox } = request
    const view = request.query.exchanges === 'summary' ? summaryOf : entryOf
    reply.hijack()
    const { raw } = reply
    reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    write(raw, ': exchanges follow as they end\n\n')
    const unsubscribe = sandbox.journal.subscribe((exchange) => {
      write(raw, eventOf('exchange', view(exchange), exchange.id))
    })
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    let before = revisionsOf(sandbox, sandboxes)
    const look = setInterval(() => {
      // The sandbox was deleted, and one of the same name may exist: clients reconnect.
      if (!sandboxes.includes(sandbox)) return void raw.end()
      const now = revisionsOf(sandbox, sandboxes)
      const what = Object.keys(now).filter((name) => now[name] !== before[name])
      before = now
      if (what.length > 0) write(raw, eventOf('change', { what }))
    }, LOOK_EVERY)
    raw.once('close', () => {
      clearInterval(heartbeat)
      clearInterval(look)
      unsubscribe()
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

function revisionsOf({ revisions }: Sandbox, { revision }: Sandboxes): Readonly<Record<string, number>> {
  return { ...revisions, sandboxes: revision }
}
