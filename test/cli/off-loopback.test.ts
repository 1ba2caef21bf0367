import t from 'tap'
import { type Answer, answerOf, build, type Server } from '../helper.js'

const TOKEN = 'admin-secret-1'
const HOST = 'build-server:4010'

type Headers = Readonly<Record<string, string>>
type Method = 'GET' | 'DELETE' | 'OPTIONS'

const call = async ({ app }: Server, url: string, headers: Headers = {}, method: Method = 'GET') =>
  answerOf(await app.inject({ method, url, headers: { host: HOST, ...headers } }))

async function logIn({ app }: Server, token: string, headers: Headers = {}, url = '/__admin/') {
  const payload = `token=${encodeURIComponent(token)}`
  const all = { host: HOST, 'content-type': 'application/x-www-form-urlencoded', ...headers }
  return answerOf(await app.inject({ method: 'POST', url, headers: all, payload }))
}

const cookieIn = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] as string

t.test('anyone may call health, but strangers learn only that the server is ready', async (t) => {
  for (const settings of [{ host: '0.0.0.0' }, { host: '0.0.0.0', adminToken: TOKEN }, { adminToken: TOKEN }]) {
    const server = await build(t, settings)
    for (const url of ['/__admin/health', '/~w-1/__admin/health']) {
      const { status, headers, body } = await call(server, url, { origin: 'https://evil.test' })
      t.same([status, body], [200, { status: 'ok' }], `${JSON.stringify(settings)} ${url}`)
      t.equal(headers['access-control-allow-origin'], undefined, 'no web page can read it')
    }
    if (!settings.adminToken) continue
    const { body } = await call(server, '/__admin/sandboxes', { authorization: `Bearer ${TOKEN}` })
    t.same(body.sandboxes, [], 'a stranger’s call creates no sandbox')
  }
  const open = await build(t)
  t.match((await open.app.inject('/__admin/health')).json(), { status: 'ok', version: String, sandbox: null })
})

t.test('with --admin-token, pages ask for the token once, and a cookie keeps it', async (t) => {
  const server = await build(t, { host: '0.0.0.0', adminToken: TOKEN })
  for (const url of ['/__admin/', '/__admin/docs', '/~w-1/__admin/'])
    t.match(await call(server, url), { status: 401, headers: { 'content-type': /html/ } }, `${url} asks for the token`)
  t.match(await logIn(server, 'guess'), { status: 401, headers: { 'set-cookie': undefined } }, 'a wrong token')
  const right = await logIn(server, TOKEN, { origin: `http://${HOST}` }, '/__admin/docs')
  const cookiePattern = /^countersign-[0-9a-f]{8}=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/
  t.match(right, { status: 303, headers: { location: /^docs$/, 'set-cookie': cookiePattern } }, 'the right token')
  const cookie = cookieIn(right)
  for (const [url, cookies, status, label] of [
    ['/__admin/requests', cookie, 200, 'the cookie opens the admin API'],
    ['/~w-1/__admin/', `other=1; ${cookie}`, 200, 'and pages of sandboxes'],
    ['/__admin/requests', `${cookie}0`, 401, 'another value does not'],
  ] as const)
    t.match(await call(server, url, { cookie: cookies }), { status }, label)
  const secure = await logIn(server, TOKEN, { 'x-forwarded-proto': 'https' })
  t.match(secure.headers['set-cookie'], /; Secure$/, 'behind TLS the cookie is secure')
  const json = await server.app.inject({ method: 'POST', url: '/__admin/', payload: { token: TOKEN } })
  t.equal(json.statusCode, 303, 'the token may be JSON')
})

t.test('the origin of a call is checked even with a token or cookie', async (t) => {
  const server = await build(t, { host: '0.0.0.0', adminToken: TOKEN, publicUrl: 'https://public.test/mock' })
  const cookie = cookieIn(await logIn(server, TOKEN))
  for (const [origin, may, forwarded] of [
    [`http://${HOST}`, true],
    ['http://localhost:5173', true],
    ['http://127.0.0.1:9', true],
    ['https://public.test', true],
    ['https://app.test', false, { 'x-forwarded-host': 'app.test' }],
    ['http://build-server:5173', false],
    ['https://evil.test', false],
    ['null', false],
  ] as const) {
    const headers: Headers = { ...forwarded, origin }
    const answer = { status: may ? 200 : 403, headers: { 'access-control-allow-origin': may ? origin : undefined } }
    const bearer = await call(server, '/__admin/requests', { authorization: `Bearer ${TOKEN}`, ...headers })
    t.match(bearer, answer, `${origin}, with the token`)
    t.match(await call(server, '/__admin/requests', { cookie, ...headers }), answer, `${origin}, with the cookie`)
    t.equal((await logIn(server, TOKEN, headers)).status === 303, may, `${origin} logs in`)
    t.match(await call(server, '/__admin/reset', headers, 'OPTIONS'), { status: may ? 204 : 403 }, 'preflight')
  }
})

t.test('without --admin-token, the admin API stays closed, and the answer explains how to open it', async (t) => {
  const server = await build(t, { host: '0.0.0.0' })
  const page = { status: 403, headers: { 'content-type': /html/ }, body: /without --admin-token/ }
  t.match(await call(server, '/__admin/'), page, 'the dashboard is closed')
  t.match(await call(server, '/__admin/state'), { body: { code: 'forbidden' } }, 'the routes are closed')
  const noToken = { body: { code: 'conflict', detail: /without --admin-token/ } }
  t.match(await logIn(server, 'x'), noToken, 'the login is closed')
})
