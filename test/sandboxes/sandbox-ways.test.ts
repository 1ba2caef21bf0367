import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, listCreditHistories, searchProtectedAttachments } from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import type { ExchangeEntry } from '../../src/index.js'
import { inFront, jsonAnswer, rawProvider } from '../forward/provider.js'
import { adminOf, build, type Changes, requestOf, type Server, send } from '../helper.js'

const token = (text: string) => ({ authorization: `Bearer ${text}` })
const header = (name: string) => ({ 'x-mock-sandbox': name })
const headerAndToken = (name: string, text: string) => ({ ...header(name), ...token(text) })

const ways: readonly (readonly [way: string, by: string, changes: Changes])[] = [
  ['the base URL', 'url', { sandbox: 'w-1' }],
  ['the header', 'header', { headers: header('w-1') }],
  ['the token', 'token', { headers: token('token-admin~w-1') }],
  ['all of them', 'url', { sandbox: 'w-1', headers: headerAndToken('w-1, w-1', 'token-admin~w-1') }],
  ['the header and the token', 'header', { headers: { ...header('w-1'), ...token('token-admin~w-1') } }],
]

t.test('a URL, header or token selects the sandbox of a call', async (t) => {
  const server = await build(t)
  for (const contract of contracts as readonly Contract[]) {
    for (const [way, by, changes] of ways) {
      t.equal((await send(server, contract, changes)).statusCode, 200, `${contract.id}: ${way}`)
      const [exchange] = await journal(server, 'w-1')
      t.match(exchange, { operation: contract.id, sandbox: 'w-1', sandboxBy: by, violations: { length: 0 } }, way)
      await adminOf(server, 'w-1').call('POST', 'reset')
    }
  }
  t.equal((await journal(server)).length, 0, 'the root has no exchange')
  t.strictSame(await adminOf(server).sandboxes(), ['w-1'], 'no other sandbox is created')
  await send(server, listCreditHistories)
  t.match(await journal(server), [{ sandbox: null, sandboxBy: null }], 'the root needs none of them')
})

t.test('a token in user-token selects a sandbox only if the operation reads it', async (t) => {
  const server = await build(t)
  const headers = { authorization: undefined, 'user-token': 'token-admin~w-1' }
  t.equal((await send(server, searchProtectedAttachments, { headers })).statusCode, 200)
  t.match(await journal(server, 'w-1'), [{ sandboxBy: 'token', outcome: 'searchProtectedAttachments:200' }])
  t.equal((await send(server, listCreditHistories, { headers })).statusCode, 401, 'another operation does not read it')
  t.match(await journal(server), [{ sandboxBy: null, outcome: 'listCreditHistories:401' }])
})

t.test("the text after a token's last ~ is the sandbox's name, unless the whole token is a user's", async (t) => {
  const server = await build(t)
  const [user] = (await adminOf(server).state()).users ?? []
  const users = [{ ...user, uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c99', token: 'a~b' }]
  await server.app.inject({ method: 'PATCH', url: '/__admin/state', payload: { users } })
  const call = async (text: string, sandbox?: string) =>
    (await send(server, listCreditHistories, { headers: token(text), sandbox })).statusCode
  t.equal(await call('a~b'), 200, 'a known token with ~ is at the root')
  t.match(await journal(server), [{ sandboxBy: null }])
  t.equal(await call('token-admin~a~b'), 401, 'the part before the last ~ is no user’s token')
  t.match(await journal(server, 'b'), [{ sandboxBy: 'token', violations: [{ code: 'unknown-token' }] }])
  t.equal(await call('token-admin~w-2', 'w-2'), 200, 'URL and token may have the same name')
  const any = await build(t, { auth: 'any' })
  await send(any, listCreditHistories, { headers: token('any~w-9') })
  t.match(await journal(any, 'w-9'), [{ sandboxBy: 'token', status: 200 }], 'also with --auth any')
})

const badNames: readonly (readonly [label: string, headers: Changes['headers'], message: RegExp])[] = [
  ['an empty header', header(''), /^'', in the header X-Mock-Sandbox, is not a valid/],
  ['a header with a percent sign', header('w%2D1'), /^'w%2D1', in the header/],
  ['65 characters', header('w'.repeat(65)), /is not a valid sandbox name\. Use 1 to 64/],
  ['an invalid ending', token('token-admin~a/b'), /^'a\/b', in the ending of the token/],
  ['an empty ending', token('token-admin~'), /^'', in the ending of the token/],
]

const inHeader = '(the header X-Mock-Sandbox)'
const inToken = '(the ending of the token)'

const conflicts: readonly (readonly [label: string, headers: Changes['headers'], message: string, sandbox?: string])[] =
  [
    ['two headers', { 'x-mock-sandbox': ['a', 'b'] as never }, `'a' ${inHeader} and 'b' ${inHeader}`],
    ['URL and header', header('b'), `'a' (the base URL) and 'b' ${inHeader}`, 'a'],
    ['header and token', { ...header('a'), ...token('token-admin~b') }, `'a' ${inHeader} and 'b' ${inToken}`],
  ]

t.test('a call with an invalid sandbox name, or with two names, is rejected and creates no sandbox', async (t) => {
  const server = await build(t)
  const cases = [
    ...badNames.map((one) => ['bad-sandbox-name', ...one, undefined] as const),
    ...conflicts.map((one) => ['sandbox-conflict', ...one] as const),
  ]
  for (const [code, label, headers, message, sandbox] of cases) {
    const request = requestOf(listCreditHistories, { headers, sandbox })
    for (const url of [request.url, sandbox === undefined ? '/nowhere' : `/~${sandbox}/nowhere`]) {
      const answer = await server.app.inject({ ...request, url })
      t.match(answer.json(), { status: 400, code, detail: message }, `${label}: ${url}`)
      t.match((await journal(server))[0], { violations: [{ code, basis: 'suspicious' }] }, `${label}: ${url}`)
    }
  }
  t.strictSame(await adminOf(server).sandboxes(), [], 'no sandbox is created')
})

t.test('the expectation of a call counts even if the call is rejected before its body is read', async (t) => {
  const server = await build(t, { bodyLimit: 10 })
  const prefer = 'expect=200'
  const rejected = [
    requestOf(listCreditHistories, { headers: { ...header('b'), prefer }, sandbox: 'a' }),
    requestOf(addOrganizationMember, { headers: { prefer } }),
  ]
  for (const request of rejected) {
    const { statusCode } = await server.app.inject(request)
    const codes = (await journal(server))[0]?.violations.map(({ code }) => code)
    t.ok(codes?.includes('expectation-unmet'), `${statusCode} was not expected`)
  }
})

t.test('links in mails have the sandbox that a header or a token selected', async (t) => {
  const server = await build(t)
  for (const [at, changes] of [{ headers: header('w-1') }, { headers: token('token-admin~w-1') }].entries()) {
    await send(server, addOrganizationMember, { ...changes, form: { 'data[0][email]': `new.${at}@example.test` } })
    const mail = (await adminOf(server, 'w-1').mails()).at(-1)
    t.match(mail?.links.accept, /^http:\/\/[^/]+\/~w-1\/invitations\//, 'the link has the sandbox')
  }
  const { app } = server
  const [first] = await adminOf(server, 'w-1').mails()
  const link = new URL(first?.links.accept as string)
  const url = link.pathname.replace('/~w-1', '')
  t.equal((await app.inject({ url, headers: token('token-admin~w-1') })).statusCode, 404, 'a token does not')
  const admin = await app.inject({ url: '/__admin/health', headers: header('w-1') })
  t.equal(admin.json().sandbox, null, 'the admin API reads only the URL')
})

t.test('a request copied as curl, as fetch or as a test goes to its sandbox', async (t) => {
  const server = await build(t)
  await send(server, listCreditHistories, { headers: { ...token('token-admin~w-1') }, query: { page: "'2'" } })
  for (const format of ['curl', 'fetch', 'test']) {
    const { body } = await server.app.inject(`/~w-1/__admin/requests/x1?format=${format}`)
    t.match(body, '/~w-1/api/v2/credits/histories', format)
    t.notMatch(body, 'token-admin~', `${format}: no token`)
  }
  const [entry] = await journal(server, 'w-1')
  t.match(entry?.violations[0]?.corrected, '/~w-1/api/v2/credits', 'the corrected request')
  t.notMatch(JSON.stringify(entry), 'token-admin', 'the journal has no token')
})

t.test('--require-sandbox rejects a call without a sandbox, and explains how to select one', async (t) => {
  const server = await build(t, { requireSandbox: true })
  for (const contract of contracts as readonly Contract[]) {
    const problem = (await send(server, contract)).json()
    for (const detail of ['/~NAME', 'X-Mock-Sandbox: NAME', '~NAME'])
      t.match(problem, { status: 400, code: 'sandbox-required', detail }, `${contract.id}: ${detail}`)
    t.equal((await journal(server))[0]?.operation, contract.id, 'the journal of the root has the call')
    for (const [way, , changes] of ways)
      t.equal((await send(server, contract, changes)).statusCode, 200, `${contract.id}: ${way}`)
    await adminOf(server, 'w-1').call('POST', 'reset')
  }
  t.equal((await server.app.inject('/nowhere')).json().code, 'sandbox-required', 'also if no route matches')
  t.equal((await server.app.inject('/__admin/health')).statusCode, 200, 'admin stays open')
  t.equal((await server.app.inject('/docs')).json().code, 'sandbox-required')
  const { base } = (await server.app.inject('/__admin/examples/listCreditHistories')).json()
  t.match(base, /\/~NAME$/, 'examples name a sandbox')
  const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' }
  const preflight = await server.app.inject({ method: 'OPTIONS', url: listCreditHistories.path, headers })
  t.equal(preflight.statusCode, 204, 'a preflight passes')
})

t.test('a provider gets neither the sandbox header nor a token’s sandbox suffix', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer('{}'))
  const { url: mock } = await inFront(t, url)
  const { url: path } = requestOf(listCreditHistories)
  const forwarded = async (headers: Record<string, string>) => {
    await fetch(mock + path, { headers })
    return `${requests.at(-1)}`
  }
  const named = headerAndToken('w-1', 'real-token~w-1')
  const request = await forwarded({ ...named, 'user-token': 'other-token~w-1' })
  t.notMatch(request, /w-1|mock-sandbox/i)
  for (const rest of ['authorization: Bearer real-token', 'user-token: other-token'])
    t.match(request.toLowerCase(), `\r\n${rest.toLowerCase()}\r\n`, 'the rest arrives')
})

function journal(server: Server, name?: string): Promise<readonly ExchangeEntry[]> {
  return adminOf(server, name).requests()
}
