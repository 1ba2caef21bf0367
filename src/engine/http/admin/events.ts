import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { entryOf, pendingOf, summaryOf } from '../../journal/entry.js'
import type { Exchange } from '../../journal/exchange.js'
import type { ChangeKind, Sandbox, SandboxEvents } from '../../sandbox/sandbox.js'
import { serverUrlOf } from '../base-url.js'

/** Milliseconds between comments, which keep proxies from closing an idle connection. */
const HEARTBEAT = 15_000
const MAX_BUFFERED = 512 * 1024

/** Milliseconds in which changes are sent as one event: a call may change a record several times. */
const CHANGE_DELAY = 50

const Query = partial({ exchanges: oneOf(['whole', 'summary']), pending: Type.Boolean() })

type Listener<Event extends keyof SandboxEvents> = (...values: SandboxEvents[Event]) => void

/** Server-sent events: first `count`, then `begin` (if the query has `pending`), `exchange` and `change`. */
export const events: AdminRoutes = (routes, { sandboxes, sandboxOf }) => {
  /** Counts the events of each sandbox, so that a client that reconnects knows whether it missed any. */
  const counts = new WeakMap<Sandbox, { readonly generation: string; number: number }>()
  const countEvent = (_: unknown, sandbox: Sandbox) => {
    const count = counts.get(sandbox)
    if (count !== undefined) count.number++
  }
  routes.get('/events', { schema: { querystring: Query } }, (request, reply) => {
    const sandbox = sandboxOf(request)
    const origin = serverUrlOf(request, sandbox)
    const isShort = request.query.exchanges === 'summary'
    reply.hijack()
    const { raw } = reply
    reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    if (request.method === 'HEAD') return void raw.end()
    if (!sandboxes.listeners('change').includes(countEvent))
      sandboxes.on('exchange', countEvent).on('change', countEvent)
    const count = counts.get(sandbox) ?? { generation: randomUUID(), number: 0 }
    counts.set(sandbox, count)
    const send = (name: string, text: string, id?: string) =>
      write(raw, `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${text}\n\n`)
    send('count', JSON.stringify(count))
    const viewOf = (exchange: Exchange) => (isShort ? summaryOf(exchange, sandbox) : entryOf(exchange, sandbox, origin))
    const onBegin: Listener<'begin'> = (pending, source) => {
      if (source === sandbox) send('begin', JSON.stringify(pendingOf(pending, viewOf(pending.snapshot()))))
    }
    const onExchange: Listener<'exchange'> = (exchange, source) => {
      if (source === sandbox && !exchange.isBeforeReset) send('exchange', JSON.stringify(viewOf(exchange)), exchange.id)
    }
    const changes = new Set<ChangeKind>()
    let changeTimer: NodeJS.Timeout | undefined
    const sendChanges = () => {
      changeTimer = undefined
      // The sandbox was deleted: clients reconnect to a new one with this name.
      if (!sandboxes.includes(sandbox)) return void raw.end()
      send('change', JSON.stringify({ what: [...changes], number: count.number }))
      changes.clear()
    }
    const onChange: Listener<'change'> = (kind, source) => {
      if (kind !== 'sandboxes' && kind !== 'files' && source !== sandbox) return
      changes.add(kind)
      changeTimer ??= setTimeout(sendChanges, CHANGE_DELAY)
    }
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    sandboxes.on('exchange', onExchange).on('change', onChange)
    if (request.query.pending) sandboxes.on('begin', onBegin)
    raw.once('close', () => {
      clearInterval(heartbeat)
      clearTimeout(changeTimer)
      sandboxes.off('begin', onBegin).off('exchange', onExchange).off('change', onChange)
    })
  })
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded) return
  raw.write(text)
  if (raw.writableLength > MAX_BUFFERED) raw.destroy()
}
