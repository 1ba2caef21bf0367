import { request as httpRequest } from 'node:http'
import t from 'tap'
import { listCreditHistories, updateSubOrganizationMember } from '../../schemas/index.js'
import { defaultSwitches } from '../../schemas/switches.js'
import { startMockServer } from '../../src/index.js'
import {
  answerOf,
  build,
  fetched,
  formOf,
  HISTORIES,
  INVITE,
  LINK,
  lastExchange,
  MEMBER,
  SEARCH,
  send,
} from '../helper.js'
import { listening } from '../wire.js'

const ada = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Lovelace' }
const person = { ...ada, role: 'Member', organization_id: '1' }
/** A member's fields, their names written as the pattern has it. */
const personAs = (pattern: string) =>
  formOf(Object.entries(person).map(([name, value]) => [pattern.replace('NAME', name), value] as const))

const post = (body?: RequestInit['body'], headers = {}): RequestInit => ({ method: 'POST', body, headers })
const put = (...fields: [string, string][]): RequestInit => ({
  method: 'PUT',
  body: formOf(fields),
})
const authorized = (authorization: string) => ({ headers: { authorization } })

const SEND_TOKEN = /^-H 'Authorization: Bearer <USER_TOKEN>'$/
const USE_FORM = /Send a FormData object \(or use curl -F\)/
const NO_TYPE = /Remove the Content-Type header/
const USER_TYPE = /^\?user_type=ENTERPRISE_API$/
const LEAVE_OUT = /^Leave it out\.$/
const KEEP = /^Leave it out to keep the current value\.$/
const WRITE_EMAIL = /^Write 'data\[0\]\[email\]', including the brackets/
const WRITE_KEYWORD = /^Write 'keyword\[sample_1\]', including the brackets/

/** What clients get wrong: the status that it gets, and the violation. */
type Mistake = readonly [path: string, init: RequestInit, status: number, code: string, where: string, fix: RegExp]

const mistakes: readonly Mistake[] = [
  [INVITE, post('{"data":[]}', { 'content-type': 'application/json' }), 400, 'not-multipart', 'body', USE_FORM],
  [INVITE, post('x', { 'content-type': 'multipart/form-data' }), 400, 'no-boundary', 'body', NO_TYPE],
  [INVITE, post(personAs('data[NAME]')), 400, 'misnamed-field', 'form.data[email]', WRITE_EMAIL],
  [`${SEARCH}&keyword[]=contract`, {}, 400, 'misnamed-parameter', 'query.keyword[]', WRITE_KEYWORD],
  [INVITE.replace(/\?.*/, ''), post(personAs('data[0][NAME]')), 400, 'missing-parameter', 'query.user_type', USER_TYPE],
  ...['userType', 'user-type', 'usertype', 'User_Type'].map((name): Mistake => {
    const path = MEMBER.replace('user_type', name)
    return [path, put(['role', 'Admin']), 400, 'misnamed-parameter', `query.${name}`, /^Write 'user_type'\.$/]
  }),
  [MEMBER.replace('ENT', 'ent'), put(['role', 'Admin']), 400, 'invalid-parameter', 'query.user_type', USER_TYPE],
  [HISTORIES, authorized('token-admin'), 401, 'token-without-scheme', 'headers.authorization', SEND_TOKEN],
  [HISTORIES, authorized('Bearer Bearer token-admin'), 401, 'doubled-bearer', 'headers.authorization', SEND_TOKEN],
  [HISTORIES, authorized('Token token-admin'), 401, 'wrong-scheme', 'headers.authorization', SEND_TOKEN],
  [`${HISTORIES}&access_token=token-admin`, {}, 200, 'token-in-query', 'query.access_token', SEND_TOKEN],
  [HISTORIES, { headers: { 'user-token': 'x' } }, 200, 'unread-token-header', 'headers.user-token', SEND_TOKEN],
  [`${LINK}?email=a%40example.test`, post('{}'), 200, 'unexpected-body', 'body', /only in the path and query/],
  [MEMBER, put(['nickname', 'Z']), 200, 'unknown-field', 'form.nickname', LEAVE_OUT],
  [`${HISTORIES}&colour=red`, {}, 200, 'unknown-parameter', 'query.colour', LEAVE_OUT],
  [MEMBER, put(['role', 'Admin'], ['role', 'Member']), 400, 'repeated-parameter', 'form.role', /^-F 'role=\w+'$/],
  [`${HISTORIES}&page=2`, {}, 400, 'repeated-parameter', 'query.page', /^\?page=1$/],
  [MEMBER, put(['first_name', '']), 400, 'empty-parameter', 'form.first_name', KEEP],
  [`${LINK}?email=a+b@x.test`, post(), 400, 'unencoded-plus', 'query.email', /^\?email=a%2Bb(@|%40)x\.test /],
  [HISTORIES.replace('credits', 'credit'), {}, 404, 'no-such-route', 'url', /^GET \/api\/v2\/credits\/histories$/],
  [MEMBER, { ...put(['role', 'Admin']), method: 'PATCH' }, 405, 'method-not-allowed', 'method', /^Use PUT\.$/],
]

t.test('each thing that a client gets wrong is reported with its place, the rule and the fix', async (t) => {
  const { server, url } = await listening(t)
  const strict = await listening(t, { strict: true })
  for (const [at, [path, init, status, code, where, fix]] of mistakes.entries()) {
    t.test(`${at + 1}. ${code} at ${where}`, async (t) => {
      const sent = { ...init, headers: { authorization: 'Bearer token-admin', ...init.headers } }
      t.match(await fetched(url + path, sent), { status }, 'it is answered with its status')
      const { violations } = await lastExchange(server)
      const found = violations.find((one) => one.code === code && one.where === where)
      t.match(found, { fix, message: /\.$/ }, 'the violation is reported with its fix', { violations })
      const cites = found?.basis === 'documented' ? /^S\w\.\d+$/ : /^I-\d\d$/
      if (found?.basis === 'suspicious') t.match(found, { cites: [], rule: undefined }, 'no rule is quoted')
      else t.match(found, { cites: [cites], rule: new RegExp(`^${found?.cites[0]}: `) }, 'it quotes the first cite')

      const refused = await fetched(strict.url + path, sent)
      t.ok(refused.status >= 400, 'it is refused where the server is strict')
      const told = [(await lastExchange(strict.server)).violations, (await lastExchange(server)).violations]
      const [strictly, all] = told.map((list) => list.map(({ corrected, ...rest }) => rest))
      t.same(strictly, all, 'the strict server tells the same violations')
      if (status === 200) t.match(refused.body, { error: { message: found?.message } }, 'the strict answer says why')
    })
  }
})

t.test('what is sent empty is to be filled or left out, as the operation has it', async (t) => {
  const { server, url } = await listening(t, { switches: { ...defaultSwitches, emptyFields: 'invalid' } })
  const empty: readonly (readonly [path: string, init: RequestInit, where: string, advice: string])[] = [
    [MEMBER, put(['first_name', '']), 'form.first_name', "not empty (''): leave it out to keep the current value."],
    [`${HISTORIES}&sort=`, {}, 'query.sort', "not empty (''): leave it out."],
    [
      MEMBER.replace('=ENTERPRISE_API', '=+'),
      put(),
      'query.user_type',
      "is white space (' '), which counts as empty, and so missing: send ENTERPRISE_API.",
    ],
  ]
  for (const [path, init, where, advice] of empty) {
    await fetch(url + path, { ...init, headers: { authorization: 'Bearer token-admin' } })
    const found = (await lastExchange(server)).violations.find((one) => one.where === where)
    t.ok(found?.message.endsWith(advice), `${where}: the advice`, { found })
  }
})

const CREDITS = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const VERIFY = '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API'
const ADMIN = { authorization: 'Bearer token-admin' }

t.test('two different Authorization headers are a violation, and the first one is read', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  for (const [tokens, codes] of [
    [['Bearer token-admin', 'Bearer token-member'], ['repeated-token']],
    [['Bearer token-admin', 'Bearer token-admin'], []],
  ] as const) {
    const status = await new Promise((resolve) => {
      const headers = tokens.flatMap((token) => ['Authorization', token])
      const sent = httpRequest(`${mock.url}${CREDITS}`, { headers: ['Host', '127.0.0.1', ...headers] as never })
      sent.on('response', (response) => resolve(response.resume().statusCode)).end()
    })
    t.equal(status, 200)
    const [exchange] = await mock.requests()
    t.same(
      exchange?.violations.map(({ code }) => code),
      codes,
    )
  }
})

t.test('OPTIONS and a 405 allow the same methods', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const [options, refused] = await Promise.all(
    ['OPTIONS', 'DELETE'].map((method) => mock.fetch(VERIFY, { method, headers: { origin: 'http://localhost:5173' } })),
  )
  t.equal(options?.headers.get('allow'), 'POST')
  t.equal(refused?.headers.get('allow'), 'POST')
})

t.test('a document of another user is said to be none of this user', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const verify = async (code: string) => {
    const body = formOf({ code, user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' })
    const response = await mock.fetch(VERIFY, { method: 'POST', headers: ADMIN, body })
    return ((await response.json()) as { error: { message: string } }).error.message
  }
  t.equal(await verify('DOC-2025-0004'), "No document of this user has the code 'DOC-2025-0004'.")
  t.equal(await verify('DOC-1999-0001'), "No document has the code 'DOC-1999-0001'.")
})

t.test('an accepted invitation cannot be accepted again, and the message says no more', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const accepted = (await mock.invitations.all()).find(({ status }) => status === 'accepted')
  const again = await mock.fetch(`/__admin/invitations/${accepted?.id}/accept`, { method: 'POST' })
  t.match(await again.json(), { status: 409, detail: 'The invitation is already accepted.' })
})

t.test('a corrected line behind a proxy that speaks TLS says https', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const headers = { ...ADMIN, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mock.example.test' }
  await mock.fetch(CREDITS.replace('per_page', 'perPage'), { headers })
  const [exchange] = await mock.requests()
  t.match(exchange?.violations[0]?.corrected, /^curl 'https:\/\/mock\.example\.test\/api/)
  const copied = await mock.fetch(`/__admin/requests/${exchange?.id}?format=curl`, { headers })
  t.match(await copied.text(), /'https:\/\/mock\.example\.test\/api/)
})

t.test('the buttons of a page that a header led to act in its sandbox', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const worker = await mock.sandbox('worker-1')
  const pending = (await worker.invitations.all()).find(({ status }) => status === 'pending')
  const address = `/invitations/${pending?.id}`
  const page = await mock.fetch(address, { headers: { 'x-mock-sandbox': 'worker-1' } })
  const [, action = ''] = /action="([^"]*accept)"/.exec(await page.text()) ?? []
  const pressed = await mock.fetch(new URL(action, `${mock.url}${address}`), { method: 'POST', redirect: 'manual' })
  t.equal(pressed.status, 303)
  const statusIn = async (world: typeof worker) =>
    (await world.invitations.all()).find(({ id }) => id === pending?.id)?.status
  t.same([await statusIn(worker), await statusIn(mock)], ['accepted', 'pending'])
})

const MISSING = ['missing-parameter', false] as const
const UNMET = ['expectation-unmet', false] as const

/** What is wrong with the request, the status that it says it expects, the status that it gets, and what is told. */
const expectations: readonly (readonly [
  what: string,
  query: Readonly<Record<string, string | undefined>>,
  expected: number,
  status: number,
  told: readonly (readonly [code: string, expected: boolean])[],
])[] = [
  ['a mistake that is meant', { page: undefined }, 400, 400, [['missing-parameter', true]]],
  ['another status than was expected', { page: undefined }, 404, 400, [MISSING, UNMET]],
  ['a request that is answered, and should not be', {}, 400, 200, [UNMET]],
  ['a request that is answered, as expected', {}, 200, 200, []],
  ['a slip that led to nothing', { organization_uuid: 'undefined' }, 200, 200, [['placeholder-value', false]]],
]

t.test('a request says which status it expects, by header or query', async (t) => {
  const server = await build(t)
  for (const [what, query, expected, status, told] of expectations) {
    for (const sent of [
      { query, headers: { prefer: `expect=${expected}` } },
      { query: { ...query, __expect: `${expected}` } },
    ]) {
      const label = `${what}, by ${'headers' in sent ? 'header' : 'query'}`
      const answer = answerOf(await send(server, listCreditHistories, sent))
      const headers = { 'preference-applied': `expect=${expected}` }
      t.match(answer, { status, headers }, `${label}: it is answered as it would be anyway`)
      const { violations, request } = await lastExchange(server)
      const codes = violations.map(({ code, expected }) => [code, expected])
      t.same(codes, told, `${label}: the journal tells what is meant`)
      t.notOk('__expect' in request.query, `${label}: the contract does not see it`)
      for (const { cites, basis } of violations.filter(({ code }) => code === 'expectation-unmet'))
        t.same([basis, cites], ['suspicious', []], `${label}: an expectation cites nothing`)
    }
  }
})

t.test('what is expected goes with all the rest', async (t) => {
  const server = await build(t)
  const forbidden = { authorization: 'Bearer token-member', prefer: 'expect=403' }
  const refused = await send(server, updateSubOrganizationMember, { headers: forbidden })
  t.equal(refused.statusCode, 403, 'a 403 is expected')
  t.match((await lastExchange(server)).violations, [{ code: 'missing-permission', expected: true }], 'and meant')

  const forced = await send(server, listCreditHistories, { headers: { prefer: 'code=401, expect=401' } })
  t.equal(forced.statusCode, 401, 'a forced outcome can be expected')
  t.same((await lastExchange(server)).violations, [], 'and has no violation')

  const lost = await server.app.inject({ url: '/api/v2/credit/histories', headers: { prefer: 'expect=404' } })
  t.equal(lost.statusCode, 404, 'a path that no operation has can be expected to be none')
  t.match((await lastExchange(server)).violations, [{ code: 'no-such-route', expected: true }], 'and is meant')

  for (const value of ['no', '40', '', '4000']) {
    const malformed = await send(server, listCreditHistories, { headers: { prefer: `expect=${value}` } })
    const problem = { code: 'malformed-preference', detail: /'expect' must be a status such as 409/ }
    t.match(malformed.json(), problem, `expect=${value} is refused, and quoted`)
  }
})

t.test('a message never shows a token that a client put elsewhere', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  for (const [code, user_uuid, says] of [
    ['DOC-2025-0001', 'token-admin', /^The form field 'user_uuid' must be a UUID such as \S+, not '\[redacted\]'\.$/],
    ['token-member', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31', /^No document has the code '\[redacted\]'\.$/],
  ] as const) {
    const body = new FormData()
    body.set('code', code)
    body.set('user_uuid', user_uuid)
    const headers = { authorization: 'Bearer token-admin' }
    const response = await mock.fetch(VERIFY, { method: 'POST', headers, body })
    t.match(await response.json(), { error: { message: says } })
  }
})
