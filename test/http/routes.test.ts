import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, answerOf, build, contracts, requestOf, send } from '../helper.js'
import { listeningServer } from '../wire.js'

const VOLATILE = ['date', 'keep-alive', 'connection', 'transfer-encoding']

async function headersOf(url: string, method: 'GET' | 'HEAD') {
  const stop = new AbortController()
  const response = await fetch(url, { method, redirect: 'manual', signal: stop.signal })
  // The event stream never ends.
  const body = method === 'HEAD' ? await response.text() : stop.abort()
  const headers = [...response.headers].filter(([name]) => !VOLATILE.includes(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: body ?? '' }
}

t.test('every GET route of the admin API and of pages answers HEAD like GET, without a body', async (t) => {
  const { server, url } = await listeningServer(t)
  for (const sandbox of [undefined, 'worker-1']) {
    await send(server, uploadSignature, { sandbox })
    await send(server, addOrganizationMember, { sandbox })
    const { link } = (await send(server, createSigningLink, { sandbox })).json()
    const prefix = sandbox === undefined ? '' : `/~${sandbox}`
    const [mail] = await adminOf(server, sandbox).mails()
    const invitation = new URL(mail?.links.accept as string).pathname
    const { routes } = (await server.app.inject(`${prefix}/__admin/nonsense`)).json() as { routes: string[] }
    const admin = routes
      .filter((route) => route.startsWith('GET '))
      .map((route) => `/__admin/${route.slice(4)}`)
      .map((path) => path.replace('requests/:id', 'requests/x1').replace(':id', 'latest'))
    t.ok(admin.length > 12, 'the 404 lists the admin routes')
    const others = ['/', '/__admin', '/__admin/', '/__admin/requests?operation=nonsense', '/__admin/nonsense']
    const own = [...admin, ...others, '/sign/unknown'].map((path) => prefix + path)
    const before = (await adminOf(server, sandbox).requests()).length
    for (const path of [...own, invitation, new URL(link).pathname, '/favicon.ico'])
      t.same(await headersOf(url + path, 'HEAD'), await headersOf(url + path, 'GET'), path)
    t.equal((await adminOf(server, sandbox).requests()).length, before, 'these requests are not in the journal')
  }
})

const pathOf = (contract: Contract) => requestOf(contract).url.split('?')[0] as string
const UPLOAD = pathOf(uploadSignature)

const paths = contracts.flatMap((contract) =>
  ['', '/~worker-1'].map((prefix) => ({ contract, url: prefix + pathOf(contract) })),
)

t.test('a method other than the documented one gets 405 with Allow', async (t) => {
  const { app } = await build(t)
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
  for (const { contract, url } of paths) {
    for (const method of methods.filter((other) => other !== contract.method)) {
      const answer = answerOf(await app.inject({ method: method as 'GET', url }))
      const refused = { status: 405, headers: { allow: contract.method }, error: 'method-not-allowed' }
      t.match(answer, refused, `${method} ${url}`)
    }
  }
})

const ORIGIN = 'https://app.example.test'
const origin = { 'access-control-allow-origin': ORIGIN }
function preflight(url: string, method: string, headers?: readonly string[]): InjectOptions {
  const required = { origin: ORIGIN, 'access-control-request-method': method }
  const optional = headers && { 'access-control-request-headers': headers.join(',') }
  return { method: 'OPTIONS', url, headers: { ...required, ...optional } }
}

t.test('a page on any origin may call every operation, with every header that the mock reads', async (t) => {
  const server = await build(t)
  for (const { contract, url } of paths) {
    const needed = ['authorization', 'content-type', 'prefer', 'user-token', 'x-mock-sandbox']
    const { status, headers } = answerOf(await server.app.inject(preflight(url, contract.method, needed)))
    const allowed = { ...origin, 'access-control-allow-methods': contract.method }
    t.match([status, headers], [204, allowed], `${contract.method} ${url}`)
    for (const name of needed)
      t.match(`${headers['access-control-allow-headers']}`.toLowerCase(), name, `${url}: ${name} is allowed`)
  }
  t.same(await adminOf(server).requests(), [], 'preflights are not in the journal')
})

t.test('pages of other origins can read the mock’s headers, even on errors', async (t) => {
  const { app } = await build(t, { bodyLimit: 1_000 })
  const { url, headers } = requestOf(listCreditHistories)
  const requests: readonly (readonly [status: number, InjectOptions & { url: string }])[] = [
    [200, { url, headers }],
    [400, { url: url.replace('page=1', 'page=0'), headers }],
    [401, { url }],
    [400, { url, headers: { prefer: 'code=418' } }],
    [400, { url: `/~not a name${url}` }],
    [404, { url: '/nowhere' }],
    [405, { url, method: 'PUT' }],
    [413, requestOf(uploadSignature)],
  ]
  for (const [status, request] of requests) {
    const answer = answerOf(await app.inject({ ...request, headers: { ...request.headers, origin: ORIGIN } }))
    const label = `${status} for ${request.url.slice(0, 50)}`
    t.match(answer, { status, headers: origin }, `${label}: the origin is allowed`)
    for (const header of ['X-Mock-Outcome', 'X-Mock-Exchange', 'X-Mock-Error', 'Preference-Applied'])
      t.match(answer.headers['access-control-expose-headers'], header, `${label}: ${header} is exposed`)
  }
})

t.test('an invalid sandbox name is refused, and creates no sandbox', async (t) => {
  const server = await build(t)
  for (const name of ['', 'a'.repeat(65), 'a%20b', 'a%2Fb', '%C3%BC', '%00', 'a,b', '~']) {
    for (const path of [UPLOAD, '/nowhere', '']) {
      const { statusCode, headers } = await server.app.inject({ method: 'POST', url: `/~${name}${path}` })
      t.same([statusCode, headers['x-mock-error']], [400, 'bad-sandbox-name'], `/~${name.slice(0, 10)}${path}`)
    }
  }
  t.same(await adminOf(server).sandboxes(), [], 'no sandbox exists')
  for (const name of ['a', 'A_9.-', '...', 'a'.repeat(64)]) {
    await server.app.inject({ method: 'POST', url: `/~${name}${UPLOAD}` })
    t.ok((await adminOf(server).sandboxes()).includes(name), `'${name}' creates a sandbox`)
  }
})
