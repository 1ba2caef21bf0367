import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import {
  GATEWAY_STATUSES,
  gatewayId,
  isGatewayStatus,
  outcomeId,
  statusesOf,
} from '../../src/engine/contract/contract.js'
import type { Changes, Server } from '../helper.js'
import { adminOf, answerOf, build, lastExchange, requestOf, send, stateAndMails, withRules } from '../helper.js'

const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '1', 503: '1' }

const gatewayAnswer = (status: number) => ({
  status,
  outcome: `gateway:${status}`,
  headers: { 'content-type': /^text\/html/, 'retry-after': RETRY_AFTER[status] },
  body: new RegExp(`<h1>${status} `),
})

t.test('every way to force a gateway status works for every operation', async (t) => {
  const server = await build(t)
  const before = await stateAndMails(server)
  for (const contract of contracts as readonly Contract[]) {
    for (const status of GATEWAY_STATUSES) {
      const isDeclared = !isGatewayStatus(contract, status)
      const { url, ...request } = requestOf(contract)
      const withQuery = (query: string) => `${url}${url.includes('?') ? '&' : '?'}${query}`
      const sandbox = `${contract.id}-${status}`
      await server.app.inject({ method: 'PUT', url: `/~${sandbox}/__admin/scenarios/${gatewayId(status)}` })
      const ways = {
        header: { ...request, url, headers: { ...request.headers, prefer: `code=${status}` } },
        query: { ...request, url: withQuery(`__code=${status}`) },
        name: { ...request, url: withQuery(`__scenario=${gatewayId(status)}`) },
        'an active scenario': { ...request, url: `/~${sandbox}${url}` },
        'no token': { method: contract.method, url, headers: { prefer: `code=${status}` } },
      }
      for (const [way, sent] of Object.entries(ways)) {
        const response = await server.app.inject(sent)
        const expected = isDeclared ? { status, outcome: outcomeId(contract, status) } : gatewayAnswer(status)
        t.match(answerOf(response), expected, `${contract.id}, ${status} by ${way}`)
      }
    }
  }
  t.equal(await stateAndMails(server), before, 'no operation takes effect')
  const { outcomes } = await adminOf(server).coverage()
  const covered = outcomes.filter(({ count }) => count > 0).map(({ outcome }) => outcome)
  const isGateway = (id: string) => GATEWAY_STATUSES.some((status) => id.endsWith(`:${status}`))
  const declared = contracts.flatMap((one: Contract) => statusesOf(one).map((status) => outcomeId(one, status)))
  t.same(covered, declared.filter(isGateway), 'only declared statuses are covered')
})

t.test('a rule with a gateway status answers before authentication', async (t) => {
  const server = await withRules(t, [
    { on: 'verifyDocument', times: 1, when: { query: { user_type: 'X' } }, answer: { status: 502 } },
    { on: ['uploadSignature', 'addOrganizationMember'], times: 2, answer: { status: 500 } },
    { on: 'listCreditHistories', times: 1, answer: { status: 503, body: { down: true } } },
    { on: 'addOrganizationMember', times: 1, when: { body: { 'data[0][role]': 'Admin' } }, answer: { status: 504 } },
    { on: 'addOrganizationMember', times: 1, answer: { status: 504, effect: 'after' } },
  ])
  const anonymous = { headers: { authorization: undefined } }
  const verify = (changes: object) => send(server, api.verifyDocument, changes)
  t.equal((await verify(anonymous)).statusCode, 401, 'a request that does not match is authenticated')
  const broken = await verify({ ...anonymous, query: { user_type: 'X' } })
  t.match(answerOf(broken), gatewayAnswer(502), 'a matching request is not authenticated')
  t.match(answerOf(await send(server, api.uploadSignature, anonymous)), gatewayAnswer(500), 'an undeclared 500')
  const declared = await send(server, api.addOrganizationMember)
  t.match(declared.headers, { 'x-mock-outcome': 'addOrganizationMember:500', 'content-type': /json/ }, 'a declared 500')
  const json = await send(server, api.listCreditHistories)
  t.match([json.headers['content-type'], json.headers['retry-after'], json.json()], [/json/, '1', { down: true }])
  t.equal((await send(server, api.addOrganizationMember, anonymous)).statusCode, 401, 'a rule about the body waits')
  const asAdmin = { form: { 'data[0][role]': 'Admin' } }
  t.match(answerOf(await send(server, api.addOrganizationMember, asAdmin)), gatewayAnswer(504), 'it then answers')
  t.equal((await adminOf(server).mails()).length, 0, 'no invitation is sent yet')
  t.match(answerOf(await send(server, api.addOrganizationMember)), gatewayAnswer(504), 'a rule with effect: after')
  t.equal((await adminOf(server).mails()).length, 1, 'the operation takes effect')
})

t.test('rules with offContract may have any status and content type', async (t) => {
  const offContract = (answer: object) => ({ on: 'listCreditHistories', times: 1, offContract: true, answer })
  const server = await withRules(t, [
    offContract({ status: 418 }),
    offContract({ status: 204 }),
    offContract({ status: 302, headers: { location: '/login' } }),
    offContract({ status: 200, headers: { 'content-type': 'application/xml' }, body: '<page/>' }),
    offContract({ status: 599, body: 'a text' }),
    offContract({ body: [] }),
    offContract({ status: 503, headers: { 'content-type': 'text/plain' }, body: { a: 1 } }),
  ])
  const answers = []
  for (let nth = 0; nth < 7; nth++) answers.push(await send(server, api.listCreditHistories))
  t.match(
    answers.map(({ statusCode, headers, body }) => [statusCode, headers['content-type'], headers.location, body]),
    [
      [418, 'text/plain', undefined, ''],
      [204, undefined, undefined, ''],
      [302, 'text/plain', '/login', ''],
      [200, 'application/xml', undefined, '<page/>'],
      [599, /json/, undefined, '"a text"'],
      [200, /json/, undefined, '[]'],
      [503, 'text/plain', undefined, '{"a":1}'],
    ],
  )
  t.equal(answers[0]?.headers['x-mock-outcome'], 'listCreditHistories:418', 'the outcome has the operation’s name')
  t.equal((await adminOf(server).coverage()).covered, 1, 'only a declared status is covered')
  const deviations = (await adminOf(server).requests()).flatMap((one) => one.deviations)
  t.ok(deviations.length > 4 && deviations.every(({ meant }) => meant), 'every deviation is intended', { deviations })
})

t.test('an active gateway status applies to every operation, even if another outcome is active', async (t) => {
  const scenario = ['verifyDocument:404', 'gateway:503']
  const server = await build(t, { scenario })
  for (const contract of [api.verifyDocument, api.listCreditHistories])
    t.match(answerOf(await send(server, contract)), { status: 503, outcome: 'gateway:503' }, contract.id)
  const headers = { authorization: 'Bearer token-admin', prefer: 'scenario=verifyDocument:404' }
  t.equal((await send(server, api.verifyDocument, { headers })).statusCode, 404, 'a preference comes first')
  await adminOf(server).deactivate('gateway:503')
  t.equal((await send(server, api.verifyDocument)).statusCode, 404, 'the other outcome applies once it is inactive')
})

const EMAIL = 'data[0][email]'

const scenarioOf = async (server: Server) => (await adminOf(server).call('GET', 'scenarios/it')).json()
const errors: readonly (readonly [why: string, Contract, Changes, status: number])[] = [
  ['without a token', api.addOrganizationMember, { headers: { authorization: undefined } }, 401],
  ['without permission', api.updateSubOrganizationMember, { headers: { authorization: 'Bearer token-member' } }, 403],
  ['without a form', api.uploadSignature, { headers: { 'content-type': 'text/plain' } }, 422],
  ['of an existing member', api.addOrganizationMember, { form: { [EMAIL]: 'li.jun@example.test' } }, 409],
]

t.test('effect: after applies only to a success: an error does not use up the rule', async (t) => {
  for (const [why, contract, changes, status] of errors) {
    const server = await withRules(t, [{ on: '*', times: 1, answer: { status: 401, effect: 'after' }, then: 'Over' }])
    const label = `${contract.id} ${why}`
    t.equal((await send(server, contract, changes)).statusCode, status, `${label}: the answer is ${status}`)
    t.match(await lastExchange(server), { cause: 'natural', status, outcome: `${contract.id}:${status}` }, label)
    t.match(await scenarioOf(server), { state: 'Started', rules: [{ answered: 0 }] }, `${label}: the rule is unused`)
    t.equal((await send(server, contract)).statusCode, 401, `${label}: the rule answers the next valid call`)
    t.match(await scenarioOf(server), { state: 'Over', rules: [{ answered: 1 }] }, `${label}: the rule is used up`)
  }
})
