import type { Socket } from 'node:net'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { addOrganizationMember, searchProtectedAttachments } from '../../schemas/index.js'
import { answerOf, fetched, lastExchange, requestOf } from '../helper.js'
import { head } from '../http/spoken.js'
import { ask, forwarding, freePort, goodHistories, histories, inFront, jsonAnswer, provider } from './provider.js'

const invite = requestOf(addOrganizationMember)
const good = sampleBody(addOrganizationMember, 200)

const TAKEN = requestOf(addOrganizationMember, { form: { 'data[0][email]': 'eve@taken.example' } })

t.test('what is forced, a gateway’s rule, a scenario and a fault come before the provider', async (t) => {
  const { url: own, server, requests } = await forwarding(t, jsonAnswer(good))
  const { playback, library } = server.worlds.root
  t.match(await ask(invite, own, { prefer: 'code=409' }), { status: 409 }, 'what is forced')
  t.match(lastExchange(server), { cause: 'prefer', outcome: 'addOrganizationMember:409' })
  t.match(await ask({ ...invite, url: `${invite.url}&__code=503` }, own), { status: 503 }, 'by the query')
  await t.rejects(ask(invite, own, { prefer: 'fault=CONNECTION_RESET_BY_PEER' }), 'a fault')
  t.match(await ask(invite, own, { prefer: 'code=999' }), { error: 'undeclared-outcome' }, 'what cannot be forced')
  for (const [name, status] of Object.entries({ 'gateway:429': 429, 'addOrganizationMember:400': 400 })) {
    playback.activate(name)
    t.match(await ask(invite, own), { status }, name)
    playback.deactivate(name)
  }
  await library.load()
  playback.activate('invitation-conflicts')
  t.match(await ask(TAKEN, own, { authorization: 'Bearer unknown' }), { status: 409 }, 'a rule looks at the body')
  t.match(lastExchange(server), { cause: /^scenario:invitation-conflicts#/, step: 'playScenario' })
  t.same(requests, [], 'the provider was never asked')
  t.match(await ask(invite, own), { status: 500 }, 'the first invitation of the scenario fails')
  t.match(await ask(invite, own), { status: 200 }, 'the second is the provider’s')
  t.match(lastExchange(server), { cause: 'provider', step: 'forward' })
  t.ok(requests[0]?.includes(invite.payload as Buffer), 'with its body, byte for byte')
})

t.test('with --fallback, a body that a rule has looked at is the world’s to read', async (t) => {
  const { url, server } = await inFront(t, `http://127.0.0.1:${await freePort()}`, { fallback: true })
  await server.worlds.root.library.load()
  server.worlds.root.playback.activate('invitation-conflicts')
  t.match(await ask(invite, url), { status: 500 }, 'the first invitation is the scenario’s')
  t.match(await ask(invite, url), { status: 200 }, 'the second is the world’s')
  t.match(lastExchange(server), { cause: 'fallback', step: 'operate' })
  t.same(lastExchange(server).violations, [])
  t.equal(server.worlds.root.outbox.messages().length, 1, 'and has taken place there')
  const json = { ...invite, headers: { ...invite.headers, 'content-type': 'application/json' }, payload: '{"a":1}' }
  t.match(await ask(json, url), { status: 400 }, 'a body that is no form is read as ever')
  t.match(lastExchange(server), { cause: 'fallback', violations: [{ code: 'not-multipart' }] })
})

t.test('a delay, further headers, and what happens although the answer is lost', async (t) => {
  let status = '200 OK'
  const answer = () => jsonAnswer(good, ['X-A: theirs'], status)
  const { url, server, requests } = await forwarding(t, (socket) => void socket.write(answer()))
  const started = performance.now()
  const late = { headers: { 'preference-applied': 'delay=1500' }, body: good }
  t.match(await ask(invite, url, { prefer: 'delay=1500' }), late, 'the answer is the provider’s')
  t.ok(performance.now() - started >= 1_500, 'it is held back, longer than the provider would be waited for')
  const { playback, library } = server.worlds.root
  const activate = async (name: string, rule: object) => {
    const source = { file: name, text: '', data: { rules: [rule] }, locate: () => undefined }
    await library.define(name, source as never)
    playback.activate(name)
  }
  await activate('headed', { on: '*', answer: { headers: { 'x-a': 'ours' }, delay: 20 } })
  t.match(await ask(invite, url), { headers: { 'x-a': /^ours$/ } }, 'a rule’s header takes the provider’s place')
  t.match(lastExchange(server), { cause: 'scenario:headed#1', step: 'forward' })
  playback.deactivate('headed')
  await activate('lost', { on: '*', times: 1, answer: { status: 500, effect: 'after' } })
  const before = requests.length
  status = '409 Conflict'
  t.match(await ask(invite, url), { status: 409 }, 'what the provider refuses has not taken place: its answer stands')
  status = '200 OK'
  t.match(await ask(invite, url), { status: 500 }, 'what has taken place is answered otherwise')
  t.equal(requests.length, before + 2, 'the provider has got both')
  t.match(lastExchange(server), { cause: 'scenario:lost#1' })
  t.match(await ask(invite, url), { status: 200 }, 'the rule is spent')
})

t.test('each sandbox has its journal; admin, pages and unknown routes are never forwarded', async (t) => {
  const { url: own, server, requests } = await forwarding(t, jsonAnswer(good))
  await ask({ ...invite, url: `/~w-1${invite.url}` }, own)
  t.match(lastExchange(server, 'w-1'), { cause: 'provider', outcome: 'addOrganizationMember:200' })
  t.same(server.worlds.root.journal.exchanges(), [])
  const admin = ['/__admin/health', '/~w-1/__admin/requests', '/__admin/', '/__admin/no']
  for (const path of [...admin, '/', '/invitations/x', '/sign/x']) await fetched(own + path)
  t.match(await fetched(`${own}/api/v2/nothing`), { error: 'no-such-route' })
  t.match(await fetched(own + histories.url, { method: 'DELETE' }), { status: 405 })
  const preflight = { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } }
  t.match(await fetched(own + histories.url, preflight), { status: 204 })
  t.equal(requests.length, 1, 'the provider was asked for the first alone')
})

t.test('who calls is the provider’s to know; a missing or malformed token is noted', async (t) => {
  const { url, server, requests } = await forwarding(t, goodHistories, { strict: true })
  const noted = async (path: string, headers: Record<string, string>) => {
    const { status } = await fetched(url + path, { headers })
    t.equal(status, 200, 'what is wrong is the provider’s to refuse, whatever --strict says')
    return lastExchange(server).violations.map(({ code, where }) => `${code} ${where}`)
  }
  for (const [authorization, code] of [
    ['Bearer of-somebody-else'],
    ['Bearer token-admin'],
    ['Basic abc', 'wrong-scheme'],
    ['Bearer undefined', 'placeholder-token'],
  ] as [string, string?][]) {
    const wanted = code === undefined ? [] : [`${code} headers.authorization`]
    t.same(await noted(histories.url, { authorization }), wanted, authorization)
  }
  t.same(await noted(histories.url, {}), ['missing-token headers.authorization'])
  t.same(await noted('/api/v2/credits/histories?page=x&organization_uuid=undefined&o=1', {}), [
    'missing-token headers.authorization',
    'missing-parameter query.per_page',
    'invalid-parameter query.page',
    'unknown-parameter query.o',
    'placeholder-value query.organization_uuid',
  ])
  t.equal(requests.length, 6)
})

t.test('--provider-token takes the place of the client’s, and is never shown', async (t) => {
  const secret = 'real-Token/1+x'
  const error = { code: 401, message: `${secret} is not good`, [secret]: { [`x-${secret}`]: 1 } }
  const refused = jsonAnswer({ error }, [`X-Echo: ${secret}`], '401 Unauthorized')
  const { url, requests } = await forwarding(t, refused, { providerToken: secret })
  const get = (headers: Record<string, string>) => fetched(url + requestOf(searchProtectedAttachments).url, { headers })
  const last = () => String(requests.at(-1))
  await get({ authorization: 'Bearer token-admin' })
  t.match(last(), `uthorization: Bearer ${secret}\r\n`)
  await get({ 'user-token': 'token-admin' })
  t.match(last(), `user-token: ${secret}\r\n`)
  t.notMatch(last(), /authorization/i, 'nothing is added')
  t.match(await get({}), { body: { error } }, 'what the provider says reaches the client as it is')
  t.notMatch(last(), secret, 'a client without a token stays one')
  for (const query of ['', '?format=scenario', '?format=curl'])
    t.notMatch(await (await fetch(`${url}/__admin/requests${query}`)).text(), secret, `/requests${query} hides it`)
  t.match(await (await fetch(`${url}/__admin/requests`)).text(), '[redacted] is not good')
})

t.test('an undeclared status, a wrong body and a gateway’s page are told apart', async (t) => {
  let answer = ''
  const lines: string[] = []
  const parts = { print: (text: string) => lines.push(text) }
  const answering = (socket: Socket) => void socket.write(answer)
  const { url, server } = await forwarding(t, answering, { logRequests: true }, parts)
  const judged = async (text: string) => {
    answer = text
    await fetched(url + histories.url, { headers: { authorization: 'Bearer x' } })
    return lastExchange(server)
  }
  t.match(await judged(jsonAnswer({}, [], '418 Teapot')), {
    outcome: 'listCreditHistories:418',
    declaredOutcome: null,
    deviations: [{ code: 'undeclared-status', where: 'status' }],
  })
  t.match(lines.at(-1), /418 listCreditHistories:418 {2}provider {2}\d+ ms\n +deviation, documented: .* \(S[\w.]+/)
  const { deviations } = await judged(head(['HTTP/1.1 204 No Content']))
  t.match(deviations, [{ code: 'undeclared-status' }])
  t.equal(deviations.length, 1, 'that there is no body is no second one')
  t.match(await judged(jsonAnswer({ page: 1 })), {
    outcome: 'listCreditHistories:200',
    deviations: [{ code: 'missing-property', basis: 'documented' }],
  })
  const page = '<html></html>'
  const gateway = head(['HTTP/1.1 502 Bad Gateway', 'Content-Type: text/html', `Content-Length: ${page.length}`]) + page
  t.match(await judged(gateway), { outcome: 'gateway:502' })
  t.same(lastExchange(server).deviations, [])
  const coverage = await fetched(`${url}/__admin/coverage`)
  t.match(coverage, { body: { covered: 1 } }, 'a declared outcome of the provider’s is covered')
  const { body } = await fetched(`${url}/__admin/requests?limit=1`)
  t.match(body, { requests: [{ cause: 'provider', trace: { answeredBy: 'forward' } }] })
})

t.test('in process, the same journey', async (t) => {
  const { url } = await provider(t, (request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    request.resume().on('end', () => response.end('{"ok":1}'))
  })
  const { server } = await inFront(t, url)
  const answer = answerOf(await server.app.inject(invite))
  t.match(answer, { status: 200, body: /^\{"ok":1\}$/, outcome: 'addOrganizationMember:200' })
  t.match(lastExchange(server), { cause: 'provider' })
  t.same(lastExchange(server).violations, [])
})
