import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { addOrganizationMember, listCreditHistories, searchProtectedAttachments } from '../../schemas/index.js'
import { lastExchange, requestOf } from '../helper.js'
import { freePort, inFront, jsonAnswer, provider, rawProvider } from './provider.js'

const histories = requestOf(listCreditHistories)
const invite = requestOf(addOrganizationMember)
const good = sampleBody(addOrganizationMember, 200)

const send = ({ url, method, headers, payload }: ReturnType<typeof requestOf>, base: string, more: object = {}) =>
  fetch(base + url, { method, headers: { ...headers, ...more }, body: payload } as RequestInit)

t.test('what is forced, a gateway’s rule, a scenario and a fault come before the provider', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(good))
  const { url: own, server } = await inFront(t, url)
  const { playback, library } = server.worlds.root
  const forced = await send(invite, own, { prefer: 'code=409' })
  t.equal(forced.status, 409)
  t.match(lastExchange(server), { cause: 'prefer', outcome: 'addOrganizationMember:409' })
  t.equal((await send({ ...invite, url: `${invite.url}&__code=503` }, own)).status, 503)
  await t.rejects(send(invite, own, { prefer: 'fault=CONNECTION_RESET_BY_PEER' }))
  t.equal((await send(invite, own, { prefer: 'code=999' })).headers.get('x-mock-error'), 'undeclared-outcome')
  playback.activate('gateway:429')
  t.equal((await send(invite, own)).status, 429)
  playback.deactivate('gateway:429')
  playback.activate('addOrganizationMember:400')
  t.equal((await send(invite, own)).status, 400)
  playback.deactivate('addOrganizationMember:400')
  await library.load()
  playback.activate('invitation-conflicts')
  const form = { 'data[0][email]': 'eve@taken.example' }
  const taken = await send(requestOf(addOrganizationMember, { form }), own, { authorization: 'Bearer unknown' })
  t.equal(taken.status, 409, 'a rule that looks at the body has it')
  t.match(lastExchange(server), { cause: /^scenario:invitation-conflicts#/, answeredBy: 'playScenario' })
  t.equal(requests.length, 0, 'the provider was never asked')
  t.equal((await send(invite, own)).status, 500, 'the first invitation of the scenario fails')
  t.equal((await send(invite, own)).status, 200, 'the second is the provider’s')
  t.match(lastExchange(server), { cause: 'provider', answeredBy: 'forward' })
  t.ok(requests[0]?.includes(Buffer.from(invite.payload as Buffer)), 'with its body, byte for byte')
  await server.worlds.root.library.load()
})

t.test('with --fallback, a body that a rule has looked at is the world’s to read', async (t) => {
  const { url: own, server } = await inFront(t, `http://127.0.0.1:${await freePort()}`, { fallback: true })
  await server.worlds.root.library.load()
  server.worlds.root.playback.activate('invitation-conflicts')
  t.equal((await send(invite, own)).status, 500, 'the first invitation is the scenario’s')
  t.equal((await send(invite, own)).status, 200, 'the second is the world’s')
  t.match(lastExchange(server), { cause: 'fallback', answeredBy: 'operate', violations: [] })
  t.equal(server.worlds.root.outbox.messages().length, 1, 'and has taken place there')
  const json = { ...invite, headers: { ...invite.headers, 'content-type': 'application/json' }, payload: '{"a":1}' }
  t.equal((await send(json, own)).status, 400, 'a body that is no form is read as ever')
  t.match(lastExchange(server), { cause: 'fallback', violations: [{ code: 'not-multipart' }] })
})

t.test('a delay, further headers, and what happens although the answer is lost', async (t) => {
  let status = '200 OK'
  const { url, requests } = await rawProvider(
    t,
    (socket) => void socket.write(jsonAnswer(good, ['X-A: theirs'], status)),
  )
  const { url: own, server } = await inFront(t, url)
  const started = performance.now()
  const late = await send(invite, own, { prefer: 'delay=1500' })
  t.ok(performance.now() - started >= 1_500, 'the answer is held back, longer than the provider would be waited for')
  t.equal(late.headers.get('preference-applied'), 'delay=1500')
  t.same(await late.json(), good)
  const { playback } = server.worlds.root
  const define = (name: string, rule: object) =>
    server.worlds.root.library.define(name, {
      file: name,
      text: '',
      data: { rules: [rule] },
      locate: () => undefined,
    } as never)
  await define('headed', { on: '*', answer: { headers: { 'x-a': 'ours' }, delay: 20 } })
  playback.activate('headed')
  const headed = await send(invite, own)
  t.equal(headed.headers.get('x-a'), 'ours', 'a rule’s header takes the place of the provider’s')
  t.match(lastExchange(server), { cause: 'scenario:headed#1', answeredBy: 'forward' })
  playback.deactivate('headed')
  await define('lost', { on: '*', times: 1, answer: { status: 500, effect: 'after' } })
  playback.activate('lost')
  const before = requests.length
  status = '409 Conflict'
  t.equal((await send(invite, own)).status, 409, 'what the provider refuses has not taken place: its answer stands')
  status = '200 OK'
  t.equal((await send(invite, own)).status, 500, 'what has taken place is answered otherwise')
  t.equal(requests.length, before + 2, 'the provider has got both')
  t.match(lastExchange(server), { cause: 'scenario:lost#1' })
  t.equal((await send(invite, own)).status, 200, 'the rule is spent')
})

t.test('each sandbox has its journal; admin, pages and unknown routes are never forwarded', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(good))
  const { url: own, server } = await inFront(t, url)
  await (await send({ ...invite, url: `/~w-1${invite.url}` }, own)).text()
  t.match(lastExchange(server, 'w-1'), { cause: 'provider', outcome: 'addOrganizationMember:200' })
  t.equal(server.worlds.root.journal.exchanges().length, 0)
  const asked = requests.length
  const paths = [
    '/__admin/health',
    '/~w-1/__admin/requests',
    '/__admin/',
    '/',
    '/invitations/x',
    '/sign/x',
    '/api/v2/nothing',
    '/__admin/no',
  ]
  for (const path of paths) await (await fetch(own + path)).text()
  t.equal((await fetch(`${own}/api/v2/nothing`)).headers.get('x-mock-error'), 'no-such-route')
  t.equal((await fetch(own + histories.url, { method: 'DELETE' })).status, 405)
  const preflight = await fetch(own + histories.url, { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } })
  t.equal(preflight.status, 204)
  t.equal(requests.length, asked, 'the provider was not asked')
})

t.test('who calls is the provider’s to know; a missing or malformed token is noted', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(sampleBody(listCreditHistories, 200)))
  const { url: own, server } = await inFront(t, url, { strict: true })
  const codes = async (authorization?: string) => {
    await (await fetch(own + histories.url, { headers: authorization === undefined ? {} : { authorization } })).text()
    return lastExchange(server).violations.map(({ code }) => code)
  }
  t.same(await codes('Bearer of-somebody-else'), [], 'an unknown token is none of our business')
  t.same(await codes('Bearer token-admin'), [])
  t.same(await codes(), ['missing-token'])
  t.same(await codes('Basic abc'), ['wrong-scheme'])
  t.same(await codes('Bearer undefined'), ['placeholder-token'])
  const response = await fetch(`${own}/api/v2/credits/histories?page=x&organization_uuid=undefined&o=1`)
  t.equal(response.status, 200, 'what is wrong is the provider’s to refuse, whatever --strict says')
  const { violations } = lastExchange(server)
  t.same(
    violations.map(({ code, where }) => `${code} ${where}`),
    [
      'missing-token headers.authorization',
      'missing-parameter query.per_page',
      'invalid-parameter query.page',
      'unknown-parameter query.o',
      'placeholder-value query.organization_uuid',
    ],
    'and is noted',
  )
  t.equal(requests.length, 6)
})

t.test('--provider-token takes the place of the client’s, and is never shown', async (t) => {
  const secret = 'real-Token/1+x'
  const { url, requests } = await rawProvider(
    t,
    jsonAnswer({ error: { code: 401, message: `${secret} is not good` } }, [`X-Echo: ${secret}`], '401 Unauthorized'),
  )
  const { url: own } = await inFront(t, url, { providerToken: secret })
  const get = (headers: Record<string, string>) => fetch(own + requestOf(searchProtectedAttachments).url, { headers })
  const last = () => String(requests.at(-1))
  await get({ authorization: 'Bearer token-admin' })
  t.match(last(), `uthorization: Bearer ${secret}\r\n`)
  await get({ 'user-token': 'token-admin' })
  t.match(last(), `user-token: ${secret}\r\n`)
  t.notMatch(last(), /authorization/i, 'nothing is added')
  const answer = await get({})
  t.notMatch(last(), secret, 'a client without a token stays one')
  t.match(await answer.text(), secret, 'what the provider says reaches the client as it is')
  const journal = await (await fetch(`${own}/__admin/requests`)).text()
  t.notMatch(journal, secret, 'the journal does not show it')
  t.match(journal, '[redacted] is not good')
  for (const path of ['', '?format=scenario', '?format=har', '?format=curl', '?format=jsonl'])
    t.notMatch(await (await fetch(`${own}/__admin/requests${path}`)).text(), secret, `nor does ${path}`)
})

t.test('an undeclared status, a wrong body and a gateway’s page are told apart', async (t) => {
  let answer = ''
  const { url } = await rawProvider(t, (socket) => void socket.write(answer))
  const lines: string[] = []
  const { url: own, server } = await inFront(t, url, { logRequests: true }, { print: (text) => lines.push(text) })
  const judged = async (text: string) => {
    answer = text
    await (await fetch(own + histories.url, { headers: { authorization: 'Bearer x' } })).text()
    return lastExchange(server)
  }
  t.match(await judged(jsonAnswer({}, [], '418 Teapot')), { outcome: 'listCreditHistories:418', declaredOutcome: null })
  t.match(lastExchange(server).deviations, [{ code: 'undeclared-status', where: 'status' }])
  t.match(lines.at(-1), /418 listCreditHistories:418 {2}provider {2}\d+ ms\n +deviation, documented: .* \(S[\w.]+/)
  t.match(await judged('HTTP/1.1 204 No Content\r\n\r\n'), { deviations: [{ code: 'undeclared-status' }] })
  t.equal(lastExchange(server).deviations.length, 1, 'that there is no body is no second one')
  t.match(await judged(jsonAnswer({ page: 1 })), { outcome: 'listCreditHistories:200' })
  t.match(lastExchange(server).deviations[0], { code: 'missing-property', basis: 'documented' })
  const page = '<html></html>'
  const gateway = `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`
  t.match(await judged(gateway), { outcome: 'gateway:502', deviations: [] })
  const coverage = await (await fetch(`${own}/__admin/coverage`)).json()
  t.match(coverage, { covered: 1 }, 'a declared outcome of the provider’s is covered')
  const events = await (await fetch(`${own}/__admin/requests?limit=1`)).json()
  t.match(events, { requests: [{ cause: 'provider', trace: { answeredBy: 'forward' } }] })
})

t.test('in process, the same journey', async (t) => {
  const { url } = await provider(t, (request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    request.resume().on('end', () => response.end('{"ok":1}'))
  })
  const { server } = await inFront(t, url)
  const response = await server.app.inject(invite)
  t.equal(response.statusCode, 200)
  t.equal(response.body, '{"ok":1}')
  t.equal(response.headers['x-mock-outcome'], 'addOrganizationMember:200')
  t.match(lastExchange(server), { cause: 'provider', violations: [] })
})
