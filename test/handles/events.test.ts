import t, { type Test } from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { until } from '../binary.js'
import { build, send } from '../helper.js'

/** A client of the events, and what it has received. */
async function listen(t: Test, server: Server, path: string) {
  const url = server.app.server.listening ? `http://127.0.0.1:${portOf(server)}` : await server.listen()
  const controller = new AbortController()
  t.teardown(() => controller.abort())
  const response = await fetch(`${url}${path}`, { signal: controller.signal })
  t.match(response.headers.get('content-type'), 'text/event-stream')
  let text = ''
  let ended = false
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of response.body as never as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true })
    ended = true
  })().catch(() => {})
  await until(() => text !== '')
  const events = (name: string): Readonly<Record<string, unknown>>[] =>
    [...text.matchAll(new RegExp(`event: ${name}\ndata: (.*)\n\n`, 'g'))].map(([, data]) => JSON.parse(data!))
  let seen = 0
  /** The aspects that have changed, since it was last asked. */
  const changed = () => {
    const all = events('change')
    const fresh = all.slice(seen).flatMap(({ what }) => what as string[])
    seen = all.length
    return fresh
  }
  return { events, changed, ended: () => ended }
}

function portOf({ app }: Server): number {
  return (app.server.address() as { port: number }).port
}

t.test('exchanges come as they end, whole or as a list shows them', async (t) => {
  const server = await build(t)
  const whole = await listen(t, server, '/__admin/events')
  const summary = await listen(t, server, '/__admin/events?exchanges=summary')
  await send(server, listCreditHistories)
  await send(server, listCreditHistories, { sandbox: 'other' })
  const entry = await until(() => whole.events('exchange')[0])
  t.match(entry, { id: 'x1', request: { query: { page: 1 } }, response: { body: { page: 1 } } })
  const short = await until(() => summary.events('exchange')[0])
  t.match(short, { id: 'x1', outcome: 'listCreditHistories:200', violations: [], request: undefined }, 'without parts')
  t.equal(whole.events('exchange').length, 1, 'another world’s do not come')
  const other = await server.app.inject('/__admin/events?exchanges=all')
  t.match(other.json(), { detail: /one of whole, summary, not 'all'/ })
})

const SEVEN = { id: 7, uuid: '0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95', name: 'x' }

t.test('whatever else changes is told, by whoever changed it', async (t) => {
  const server = await build(t)
  const { root } = server.worlds
  const listener = await listen(t, server, '/__admin/events')
  const put = (url: string, payload: object) => server.app.inject({ method: 'PUT', url: `/__admin/${url}`, payload })
  const changes: readonly (readonly [string, () => unknown, readonly string[]])[] = [
    ['a switch', () => put('scenarios/gateway:503', { active: true }), ['scenarios']],
    ['a definition', () => put('scenarios/mine', { rules: [] }), ['scenarios']],
    ['a state of a scenario', () => put('scenarios/mine', { state: 'Later' }), ['scenarios']],
    ['an edit', () => server.worlds.use({ ...server.worlds.shared }), ['scenarios']],
    ['the clock', () => put('clock', { advance: 1 }), ['clock']],
    ['a sandbox', () => server.worlds.sandbox('new'), ['worlds']],
    ['its end', () => server.worlds.delete('new'), ['worlds']],
    ['a cleared journal', () => root.journal.clear(), ['journal']],
    ['a record', () => root.state.patch({ organizations: [SEVEN] }), ['state']],
    ['an invitation', () => send(server, addOrganizationMember, { headers: { prefer: 'code=200' } }), []],
    ['a reset', () => root.reset(), ['clock', 'journal', 'mail', 'scenarios', 'state']],
    ['an invitation after it', () => send(server, addOrganizationMember), ['mail', 'state']],
    ['a mail less', () => root.outbox.clear(), ['mail']],
  ]
  for (const [what, change, aspects] of changes) {
    listener.changed()
    await change()
    const seen = new Set<string>()
    await until(() => {
      for (const one of listener.changed()) seen.add(one)
      return aspects.every((one) => seen.has(one))
    })
    t.same([...seen].sort(), aspects, what)
  }
})
