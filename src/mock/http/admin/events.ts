import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { oneOf } from '../../../../schemas/common.js'
import type { Aspect, SandboxEvents } from '../../sandbox/sandbox.js'
import { serverUrlOf } from '../base-url.js'
import { entryOf, summaryOf } from '../views/entry.js'
import { partial, type Resource } from './resource.js'

/** Milliseconds between comments that keep a proxy from closing the connection. */
const HEARTBEAT = 15_000
/** Bytes that may wait for a slow client before it is disconnected. */
const MOST_WAITING = 512 * 1024

/** Milliseconds in which changes are told together: a call may change a record several times. */
const GATHER = 50

const Query = partial({ exchanges: oneOf(['whole', 'summary']) })

type Listener<Event extends keyof SandboxEvents> = (...values: SandboxEvents[Event]) => void

/** Server-sent events: `exchange` as each one ends, `change` with the names of other things that changed. */
export const events: Resource = (routes, { sandboxes }) => {
  routes.get('/events', { schema: { querystring: Query } }, (request, reply) => {
    const { sandbox } = request
    const origin = serverUrlOf(request, sandbox)
    const isShort = request.query.exchanges === 'summary'
    reply.hijack()
    const { raw } = reply
    reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    write(raw, ': exchanges follow as they end\n\n')
    const onExchange: Listener<'exchange'> = (exchange, ofSandbox) => {
      if (ofSandbox !== sandbox) return
      const shown = isShort ? summaryOf(exchange, sandbox) : entryOf(exchange, sandbox, origin)
      write(raw, eventOf('exchange', shown, exchange.id))
    }
    const changed = new Set<Aspect>()
    let gathering: NodeJS.Timeout | undefined
    const tell = () => {
      gathering = undefined
      // The sandbox was deleted, and one of the same name may exist: clients reconnect.
      if (!sandboxes.includes(sandbox)) return void raw.end()
      write(raw, eventOf('change', { what: [...changed] }))
      changed.clear()
    }
    const onChange: Listener<'change'> = (aspect, ofSandbox) => {
      if (aspect !== 'sandboxes' && ofSandbox !== sandbox) return
      changed.add(aspect)
      gathering ??= setTimeout(tell, GATHER)
    }
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    sandboxes.on('exchange', onExchange).on('change', onChange)
    raw.once('close', () => {
      clearInterval(heartbeat)
      clearTimeout(gathering)
      sandboxes.off('exchange', onExchange).off('change', onChange)
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
