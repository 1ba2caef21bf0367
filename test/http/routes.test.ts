import t from 'tap'
import { addOrganizationMember, createSigningLink, uploadSignature } from '../../schemas/index.js'
import { send } from '../helper.js'
import { listening } from '../wire.js'

/** What differs from answer to answer. */
const VOLATILE = ['date', 'keep-alive', 'connection', 'transfer-encoding']

async function headersOf(url: string, method: 'GET' | 'HEAD') {
  const stop = new AbortController()
  const response = await fetch(url, { method, redirect: 'manual', signal: stop.signal })
  // The stream of events has no end.
  const body = method === 'HEAD' ? await response.text() : stop.abort()
  const headers = [...response.headers].filter(([name]) => !VOLATILE.includes(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: body ?? '' }
}

t.test('every GET route of admin and of the pages answers HEAD, as GET without the body', async (t) => {
  const { server, url } = await listening(t)
  for (const sandbox of [undefined, 'worker-1']) {
    await send(server, uploadSignature, { sandbox })
    await send(server, addOrganizationMember, { sandbox })
    const { link } = (await send(server, createSigningLink, { sandbox })).json()
    const prefix = sandbox === undefined ? '' : `/~${sandbox}`
    const world = sandbox === undefined ? server.worlds.root : server.worlds.sandbox(sandbox)
    const invitation = new URL(world?.outbox.messages()[0]?.links.accept as string).pathname
    const { routes } = (await server.app.inject(`${prefix}/__admin/nonsense`)).json() as { routes: string[] }
    const admin = routes
      .filter((route) => route.startsWith('GET '))
      .map((route) => `/__admin/${route.slice(4)}`)
      .map((path) => path.replace('requests/:id', 'requests/x1').replace(':id', 'latest'))
      .map((path) => (path.endsWith('/search') ? `${path}?query=invites` : path))
    t.ok(admin.length > 12, 'the routes of admin are known')
    const others = ['/', '/__admin', '/__admin/', '/__admin/requests?operation=nonsense', '/__admin/nonsense']
    const own = [...admin, ...others, '/sign/unknown'].map((path) => prefix + path)
    const before = world?.journal.total
    for (const path of [...own, invitation, new URL(link).pathname, '/favicon.ico'])
      t.same(await headersOf(url + path, 'HEAD'), await headersOf(url + path, 'GET'), path)
    t.equal(world?.journal.total, before, 'the journal has none of them, so that none is unmatched')
  }
})
