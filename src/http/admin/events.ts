import { entryOf } from '../../world/journal/entry.js'
import type { Exchange } from '../../world/journal/exchange.js'
import type { Resource } from './resource.js'

/** Milliseconds between signs of life, so that proxies keep the connection. */
const HEARTBEAT = 15_000

/** Server-sent events: each exchange as it ends. */
export const events: Resource = (scope, { worldOf }) => {
  scope.get('/events', (request, reply) => {
    const { journal } = worldOf(request)
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    } as never)
    if (request.method === 'HEAD') return raw.end()
    raw.write(': exchanges follow as they end\n\n')
    const unsubscribe = journal.subscribe((exchange: Exchange) => {
      raw.write(`id: ${exchange.id}\nevent: exchange\ndata: ${JSON.stringify(entryOf(exchange))}\n\n`)
    })
    const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT)
    raw.once('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
    })
  })
}
