import t from 'tap'
import type { Server } from '../../src/server/create-server.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build } from '../helper.js'

const TOKEN = 'admin-secret-1'
const HOST = 'build-server:4010'

type Headers = Readonly<Record<string, string>>

const call = ({ app }: Server, url: string, headers: Headers = {}, method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET') =>
  app.inject({ method, url, headers: { host: HOST, ...headers } })

/** Gives the token as the page's form does. */
const enter = ({ app }: Server, token: string, headers: Headers = {}, extra = '') =>
  app.inject({
    method: 'POST',
    url: '/__admin/session',
    headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: `token=${encodeURIComponent(token)}${extra}`,
  })

const cookieIn = (response: Awaited<ReturnType<typeof enter>>) =>
  String(response.headers['set-cookie']).split(';')[0] as string

t.test('health is open to everybody, and tells strangers nothing but readiness', async (t) => {
  for (const settings of [{ host: '0.0.0.0' }, { host: '0.0.0.0', adminToken: TOKEN }, { adminToken: TOKEN }]) {
    const server = await build(t, settings)
    for (const url of ['/__admin/health', '/~w-1/__admin/health']) {
      const response = await call(server, url, { origin: 'https://evil.test' })
      t.match([response.statusCode, response.json()], [200, { status: 'ok' }], `${JSON.stringify(settings)} ${url}`)
      t.same(Object.keys(response.json()), ['status'], 'and no more')
      t.equal(response.headers['access-control-allow-origin'], undefined, 'no page may read it')
    }
    t.equal(server.worlds.sandboxes().length, 0, 'nobody makes a sandbox by asking')
  }
  const open = await build(t)
  t.match((await open.app.inject('/__admin/health')).json(), { status: 'ok', version: String, sandbox: null })
})

t.test('with a token, pages ask for it once, and a cookie keeps it', async (t) => {
  const server = await build(t, { host: '0.0.0.0', adminToken: TOKEN })
  for (const url of ['/__admin/', '/__admin/docs', '/~w-1/__admin/']) {
    const page = await call(server, url)
    t.match([page.statusCode, page.headers['content-type']], [401, /html/], `${url} asks`)
    t.match(page.body, /<form method="post" action="session"[\s\S]*type="password"/)
  }
  t.match((await call(server, '/__admin/requests')).json(), { code: 'unauthorized' }, 'the rest says it as ever')
  const wrong = await enter(server, 'guess')
  t.match([wrong.statusCode, wrong.body], [401, /This is not the right token\./], 'a wrong one is told, and no more')
  t.equal(wrong.headers['set-cookie'], undefined)
  const right = await enter(server, TOKEN, { origin: `http://${HOST}` }, '&to=docs')
  t.match([right.statusCode, right.headers.location], [303, 'docs'], 'the right one leads on')
  t.match(right.headers['set-cookie'], /^countersign-[0-9a-f]{8}=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/)
  t.notMatch(right.headers['set-cookie'], TOKEN, 'the token is not in it')
  const cookie = cookieIn(right)
  t.equal((await call(server, '/__admin/requests', { cookie })).statusCode, 200, 'the cookie opens admin')
  t.equal((await call(server, '/~w-1/__admin/', { cookie: `other=1; ${cookie}` })).statusCode, 200, 'of every world')
  t.equal((await call(server, '/__admin/requests', { cookie: `${cookie}0` })).statusCode, 401, 'no other value does')
  const left = await call(server, '/__admin/session', { cookie }, 'DELETE')
  t.match(left.headers['set-cookie'], /Max-Age=0/, 'and is forgotten')
  const secure = await enter(server, TOKEN, { 'x-forwarded-proto': 'https' })
  t.match(secure.headers['set-cookie'], /; Secure$/, 'behind TLS it stays there')
  const json = await server.app.inject({ method: 'POST', url: '/__admin/session', payload: { token: TOKEN } })
  t.equal(json.statusCode, 303, 'as JSON too')
  t.match((await enter(server, TOKEN, {}, '&to=https://evil.test')).json(), { code: 'invalid-input' }, 'nowhere else')
})

t.test('an origin is looked at, whatever else is shown', async (t) => {
  const server = await build(t, { host: '0.0.0.0', adminToken: TOKEN, publicUrl: 'https://public.test/mock' })
  const cookie = cookieIn(await enter(server, TOKEN))
  const shown = [{ cookie }, { authorization: `Bearer ${TOKEN}` }]
  const origins: readonly (readonly [string, number, Headers?])[] = [
    [`http://${HOST}`, 200],
    ['http://localhost:5173', 200],
    ['http://127.0.0.1:9', 200],
    ['https://public.test', 200],
    ['https://app.test', 200, { 'x-forwarded-host': 'app.test' }],
    ['https://app.test', 403],
    ['http://build-server:5173', 403],
    ['https://evil.test', 403],
    ['null', 403],
  ]
  for (const [origin, status, headers = {}] of origins) {
    for (const one of shown) {
      const response = await call(server, '/__admin/requests', { ...one, ...headers, origin } as never)
      t.equal(response.statusCode, status, `${origin}, by ${Object.keys(one)}`)
      const allowed = response.headers['access-control-allow-origin']
      t.equal(allowed, status === 200 ? origin : undefined, 'who may call may read')
    }
    t.equal((await enter(server, TOKEN, { ...headers, origin })).statusCode === 303, status === 200, `from ${origin}`)
    const preflight = await server.app.inject({
      method: 'OPTIONS',
      url: '/__admin/reset',
      headers: { host: HOST, ...headers, origin },
    })
    t.equal(preflight.statusCode, status === 200 ? 204 : 403, `${origin} asks before`)
  }
})

t.test('without a token it stays closed, and says how it is opened', async (t) => {
  const server = await build(t, { host: '0.0.0.0' })
  const page = await call(server, '/__admin/')
  const { statusCode, headers, body } = page
  t.match([statusCode, headers['content-type'], body], [403, /html/, /without --admin-token/], 'to people')
  t.match((await call(server, '/__admin/state')).json(), { code: 'forbidden' }, 'to programs')
  t.match((await enter(server, 'x')).json(), { code: 'conflict', detail: /without --admin-token/ }, 'there is none')
})

t.test('in a browser', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  const server = await build(t, { adminToken: TOKEN })
  const url = await server.listen()
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  await page.goto(`${url}/__admin/`)
  await page.getByLabel('Token').fill('guess')
  await page.getByRole('button', { name: 'Open' }).click()
  t.match(await page.getByRole('alert').textContent(), 'This is not the right token.', 'a wrong token is told')
  await page.getByLabel('Token').fill(TOKEN)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Requests' }).first().waitFor()
  t.equal(page.url(), `${url}/__admin/`, 'the right one opens the dashboard')
  await page.reload()
  await page.getByRole('link', { name: 'Requests' }).first().waitFor()
  t.equal(await page.evaluate('document.cookie'), '', 'no script sees the cookie')
  const others = problems.filter((one) => !one.includes('401'))
  t.same(others, [], 'nothing is refused by a policy')
})
