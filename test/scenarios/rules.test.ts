import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import type { Changes, RuleSource, Server } from '../helper.js'
import { adminOf, build, fileOf, folderOf, lastExchange, requestOf, send, sendTo, withRules } from '../helper.js'
import { head, untilClosed } from '../wire.js'

const EMAIL = 'data[0][email]'
const SAMPLE_1 = 'keyword[sample_1]'
const AUTHORIZED = { authorization: 'Bearer token-admin' }

type MatcherCase = readonly [contract: Contract, when: RuleSource, matching: Changes, other: Changes]

const emailCase = (matcher: RuleSource, matching: string | string[], other: string | string[]): MatcherCase => {
  return [
    api.addOrganizationMember,
    { body: { [EMAIL]: matcher } },
    { form: { [EMAIL]: matching } },
    { form: { [EMAIL]: other } },
  ]
}

const matchers: readonly MatcherCase[] = [
  emailCase({ endsWith: '@taken.example' }, 'a@taken.example', 'a@taken.example.org'),
  emailCase({ matches: '^[a-c]+@' }, 'abc@example.test', 'abcd@example.test'),
  // A pattern is not tried on longer texts.
  emailCase({ matches: 'a$' }, 'a'.repeat(65_536), 'a'.repeat(65_537)),
  emailCase({ equals: 'b@a.test' }, ['a@a.test', 'b@a.test'], ['a@a.test', 'c@a.test']),
  [api.listCreditHistories, { query: { page: 2 } }, { query: { page: 2 } }, { query: { page: 20 } }],
  [
    api.searchProtectedAttachments,
    { query: { [SAMPLE_1]: { contains: 'eas' } } },
    { query: { [SAMPLE_1]: 'lease' } },
    {},
  ],
  [api.listCreditHistories, { query: { sort: { absent: true } } }, { query: { sort: undefined } }, {}],
  [api.listCreditHistories, { query: { sort: { absent: false } } }, {}, { query: { sort: undefined } }],
  [api.createSigningLink, { path: { uuid: { startsWith: 'f1c7' } } }, { params: { uuid: 'f1c7' } }, {}],
  [api.updateSubOrganizationMember, { path: { subOrgMemberId: 102 } }, { params: { subOrgMemberId: '102' } }, {}],
  [api.uploadSignature, { headers: { 'X-Tenant': 'a' } }, { headers: { 'x-tenant': 'a', ...AUTHORIZED } }, {}],
  [
    api.uploadSignature,
    { headers: { 'X-Name': 'Zoë' } },
    // UTF-8 bytes, which Node reads as Latin-1.
    { headers: { 'x-name': Buffer.from('Zoë').toString('latin1'), ...AUTHORIZED } },
    { headers: { 'x-name': 'Zo', ...AUTHORIZED } },
  ],
  [
    api.verifyDocument,
    { body: { file: { filename: { endsWith: '.pdf' }, size: 3, type: 'application/pdf' } } },
    { form: { file: fileOf('abc', 'a.pdf', 'application/pdf') } },
    { form: { file: fileOf('abcd', 'a.pdf', 'application/pdf') } },
  ],
  [api.uploadSignature, { headers: { 'x-tenant': { absent: true } } }, {}, { headers: { 'x-tenant': '' } }],
  [
    api.addOrganizationMember,
    { body: { [EMAIL]: { startsWith: 'a', endsWith: 'test' }, 'data[0][role]': 'Member' } },
    { form: { [EMAIL]: 'a@example.test' } },
    { form: { [EMAIL]: 'a@example.test', 'data[0][role]': 'Admin' } },
  ],
  [api.uploadSignature, { body: { file: { endsWith: '.png' } } }, {}, { form: { file: 'no file' } }],
  [api.verifyDocument, { body: { code: { absent: true } } }, { form: { code: undefined } }, {}],
  [api.verifyDocument, { token: 'token-member' }, { headers: { authorization: 'bearer token-member' } }, {}],
  [
    api.searchProtectedAttachments,
    { token: { contains: 'member' } },
    { headers: { authorization: undefined, 'user-token': 'token-member' } },
    {},
  ],
  [api.verifyDocument, { token: 'token-admin', query: { user_type: 'x' } }, { query: { user_type: 'x' } }, {}],
]

t.test('a rule answers the calls that match all its matchers, and no others', async (t) => {
  const server = await build(t)
  for (const [nth, [contract, when, matching, different]] of matchers.entries()) {
    t.test(`a rule for ${contract.id} with ${JSON.stringify(when)}`, async (t) => {
      const sandbox = `s${nth}`
      const rules = [{ on: contract.id, when, answer: { status: 401 } }]
      await adminOf(server, sandbox).call('PUT', 'scenarios/it', { rules, active: true })
      const response = await send(server, contract, { ...matching, sandbox })
      t.equal(response.statusCode, 401, 'a call that matches gets the answer of the rule')
      const reported = {
        cause: 'scenario:it#1',
        trace: { answeredBy: 'playScenario', why: 'answered by scenario:it#1' },
      }
      t.match(await lastExchange(server, sandbox), reported, 'the journal names the rule as the cause')
      const other = await send(server, contract, { ...different, sandbox })
      t.not(other.statusCode, 401, 'a call that does not match gets another answer')
      t.equal((await lastExchange(server, sandbox)).cause, 'natural', 'the cause of that answer is natural')
      for (const other of contracts.filter((one) => one !== contract))
        t.equal((await send(server, other, { sandbox })).statusCode, 200, `${other.id} is answered as usual`)
    })
  }
})

t.test('a pattern cannot hang the server', async (t) => {
  const when = { body: { 'data[0][first_name]': { matches: '(a+)+$' } } }
  const server = await withRules(t, [{ on: 'addOrganizationMember', when, answer: { status: 409 } }])
  const invite = async (first_name: string) =>
    (await send(server, api.addOrganizationMember, { form: { 'data[0][first_name]': first_name } })).statusCode
  t.equal(await invite(`${'a'.repeat(50_000)}!`), 200, 'a text that nearly matches gets the natural answer')
  t.equal(await invite('aaa'), 409, 'a text that matches gets the answer of the rule')
})

async function statuses(server: Server, calls: number, contract: Contract, changes?: Changes): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < calls; at++) all.push((await send(server, contract, changes)).statusCode)
  return all
}

t.test('the first matching rule that is not used up answers', async (t) => {
  const server = await withRules(t, [
    { on: 'addOrganizationMember', when: { body: { [EMAIL]: 'x@example.test' } }, times: 1, answer: { status: 409 } },
    { on: 'addOrganizationMember', times: 2, answer: { status: 500 } },
    { on: 'addOrganizationMember', times: 1, answer: {} },
    { on: 'addOrganizationMember', answer: { status: 401 } },
  ])
  t.same(await statuses(server, 1, api.addOrganizationMember), [500], 'a rule that does not match is skipped')
  const matched = await statuses(server, 5, api.addOrganizationMember, { form: { [EMAIL]: 'x@example.test' } })
  t.same(matched, [409, 500, 200, 401, 401], 'each rule answers until it is used up')
  const causes = (await adminOf(server).requests()).map(({ cause }) => cause.split('#')[1])
  t.same(causes, ['4', '4', '3', '2', '1', '2'], 'the journal names the rule of each answer, the last one first')
})

t.test('answers change the state of a scenario, and the admin API can set it', async (t) => {
  const server = await withRules(t, [
    { on: 'listCreditHistories', when: { state: 'Started' }, times: 2, answer: {}, then: 'Seen' },
    { on: 'listCreditHistories', when: { state: 'Seen' }, answer: { status: 401 }, then: 'Over' },
  ])
  const { app } = server
  t.same(await statuses(server, 4, api.listCreditHistories), [200, 200, 401, 200], 'spent rules change the state')
  const set = await app.inject({ method: 'PUT', url: '/__admin/scenarios/it', payload: { state: 'Seen' } })
  t.match(set.json(), { name: 'it', active: true, state: 'Seen' }, 'the admin API sets the state')
  t.same(await statuses(server, 2, api.listCreditHistories), [401, 200], 'the scenario goes on from that state')
  t.equal((await app.inject({ method: 'POST', url: '/__admin/scenarios/reset' })).statusCode, 200, 'a reset')
  t.same(await statuses(server, 3, api.listCreditHistories), [200, 200, 401], 'a reset scenario starts over')
})

t.test('the seed decides which calls a rule with a chance answers', async (t) => {
  const rules = [{ on: 'createSigningLink', chance: 0.3, answer: { status: 500 } }]
  const draws = async (seed: string) =>
    (await statuses(await withRules(t, rules, { seed }), 300, api.createSigningLink)).join()
  const first = await draws('1')
  t.equal(await draws('1'), first, 'the same seed has the same draws')
  const failed = first.split(',').filter((status) => status === '500').length
  t.ok(failed > 60 && failed < 120, 'about 90 of 300 calls fail', { failed })
  t.not(await draws('2'), first, 'another seed has other draws')
})

async function delays(t: Test, delay: object, seed: string): Promise<number[]> {
  const server = await withRules(t, [{ on: '*', answer: { delay } }], { seed })
  const url = await server.listen()
  await Promise.all(Array.from({ length: 60 }, () => sendTo(url, api.listCreditHistories)))
  const numbered = (await adminOf(server).requests()).map(
    ({ id, duration }) => [Number(id.slice(1)), duration] as const,
  )
  return numbered.sort(([one], [other]) => one - other).map(([, duration]) => duration ?? 0)
}

const distance = (some: readonly number[], others: readonly number[]) =>
  some.reduce((sum, one, at) => sum + Math.abs(one - (others[at] ?? 0)), 0)

t.test('random delays are uniform or log-normal, and the seed decides them', async (t) => {
  const uniform = { uniform: { lower: 200, upper: 1_200 } }
  const [flat, same, other] = await Promise.all(['1', '1', '2'].map((seed) => delays(t, uniform, seed)))
  t.ok(distance(flat!, same!) < distance(flat!, other!), 'the same seed gives the same delays', { flat, same, other })
  t.ok(Math.min(...flat!) >= 199 && Math.min(...flat!) < 700, 'uniform delays begin at their lower bound', { flat })
  t.ok(Math.max(...flat!) > 1_000, 'and go up to their upper bound', { flat })
  const skewed = await delays(t, { lognormal: { median: 300, sigma: 1 } }, '1')
  t.ok(Math.min(...skewed) < 300 && Math.max(...skewed) > 1_000, 'log-normal delays vary around 300', { skewed })
})

t.test('a matcher reads each value of a repeated header; answers can repeat headers and dribble bodies', async (t) => {
  const server = await withRules(t, [
    { on: '*', when: { headers: { 'x-role': 'b', 'x-both': 'a, b' } }, answer: { headers: { 'X-Line': ['1', '2'] } } },
    { on: '*', answer: { dribble: { chunks: 5, duration: 400 } } },
  ])
  const url = await server.listen()
  const { url: path } = requestOf(api.listCreditHistories)
  const fields = ['Host: x', 'Authorization: Bearer token-admin', 'Connection: close']
  const twice = ['X-Role: a', 'X-Role: b', 'X-Both: a', 'X-Both: b']
  const { text } = await untilClosed(Number(new URL(url).port), head(`GET ${path} HTTP/1.1`, ...fields, ...twice))
  t.match(text, /\r\nx-line: 1\r\nx-line: 2\r\n/i, 'both matchers match, and the answer has two lines')
  const started = performance.now()
  const answer = await fetch(url + path, { headers: AUTHORIZED })
  t.ok(performance.now() - started < 300, 'the headers arrive at once')
  const pieces: number[] = []
  for await (const piece of answer.body ?? []) pieces.push(piece.length)
  t.ok(pieces.length >= 3, 'the body arrives in pieces', { pieces })
  t.ok(performance.now() - started >= 390, 'it takes the whole duration')
  const length = pieces.reduce((sum, one) => sum + one, 0)
  t.equal(answer.headers.get('content-length'), `${length}`, 'Content-Length is the length of the body')
  t.type((await lastExchange(server)).response?.body, 'object', 'the journal has the body')
})

t.test('rules of extended scenarios come first, in order', async (t) => {
  const rule = (status: number) => [{ on: 'verifyDocument', times: 1, answer: { status } }]
  const folder = folderOf(t, {
    base: rule(400),
    'middle.yaml': 'extends: [base]\nrules: [{ on: verifyDocument, times: 1, answer: { status: 401 } }]',
    other: rule(404),
    'top.yaml':
      'extends: [middle, other, "verifyDocument:422"]\nrules: [{ on: verifyDocument, answer: { status: 401 } }]',
  })
  const server = await build(t, { scenarios: folder, scenario: ['top'] })
  t.same(await statuses(server, 5, api.verifyDocument), [400, 401, 404, 422, 422], 'in the order of extends')
  t.equal((await lastExchange(server)).cause, 'scenario:top#4', 'the cause names the extending scenario and its rule')
})
