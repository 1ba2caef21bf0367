import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { entryOf, pendingOf, summaryOf } from '../../journal/entry.js'
import type { Exchange } from '../../journal/exchange.js'
import type { ChangeKind, Sandbox, SandboxEvents } from '../../sandbox/sandbox.js'
import { serverUrlOf } from '../base-url.js'

/** A comment keeps proxies from closing the connection. */
const HEARTBEAT = 15_000
const MOST_WAITING = 512 * 1024

/** A call may change a record several times. */
const GATHER = 50

const Query = partial({ exchanges: oneOf(['whole', 'summary']), pending: Type.Boolean() })

type Listener<Event extends keyof SandboxEvents> = (...values: SandboxEvents[Event]) => void

/** Server-sent events: first `count`, then `begin` (on request), `exchange` and `change`. */
export const events: AdminRoutes = (routes, { sandboxes, sandboxOf }) => {
  /** Shows a client that reconnects whether it missed something. */
  const counts = new WeakMap<Sandbox, { readonly generation: string; number: number }>()
  /** Of the last exchange: all its listeners get the same text. */
  const texts = new Map<object, string>()
  const textOf = (view: object) => {
    const text = texts.get(view) ?? JSON.stringify(view)
    texts.set(view, text)
    return text
  }
  const raise = (_: unknown, sandbox: Sandbox) => {
    texts.clear()
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
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    if (!sandboxes.listeners('change').includes(raise)) sandboxes.on('exchange', raise).on('change', raise)
    const count = counts.get(sandbox) ?? { generation: randomUUID(), number: 0 }
    counts.set(sandbox, count)
    write(raw, ': connected\n\n')
    const send = (name: string, text: string, id?: string) =>
      write(raw, `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${text}\n\n`)
    send('count', JSON.stringify(count))
    const viewOf = (one: Exchange) => (isShort ? summaryOf(one, sandbox) : entryOf(one, sandbox, origin))
    const onBegin: Listener<'begin'> = (pending, ofSandbox) => {
      if (ofSandbox === sandbox) send('begin', JSON.stringify(pendingOf(pending, viewOf(pending.snapshot()))))
    }
    const onExchange: Listener<'exchange'> = (exchange, ofSandbox) => {
      if (ofSandbox === sandbox) send('exchange', textOf(viewOf(exchange)), exchange.id)
    }
    const changed = new Set<ChangeKind>()
    let gathering: NodeJS.Timeout | undefined
    const tell = () => {
      gathering = undefined
      // Deleted: clients reconnect to a new sandbox of this name.
      if (!sandboxes.includes(sandbox)) return void raw.end()
      send('change', JSON.stringify({ what: [...changed], number: count.number }))
      changed.clear()
    }
    const onChange: Listener<'change'> = (aspect, ofSandbox) => {
      if (aspect !== 'sandboxes' && aspect !== 'files' && ofSandbox !== sandbox) return
      changed.add(aspect)
      gathering ??= setTimeout(tell, GATHER)
    }
    const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT)
    sandboxes.on('exchange', onExchange).on('change', onChange)
    if (request.query.pending) sandboxes.on('begin', onBegin)
    raw.once('close', () => {
      clearInterval(heartbeat)
      clearTimeout(gathering)
      sandboxes.off('begin', onBegin).off('exchange', onExchange).off('change', onChange)
    })
  })
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded) return
  raw.write(text)
  if (raw.writableLength > MOST_WAITING) raw.destroy()
}
