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
import { adminOf, answerOf, build, lastExchange, playing, requestOf, send, traces } from '../helper.js'

const RETRIES: Readonly<Record<number, string>> = { 429: '1', 503: '1' }

const byGateway = (status: number) => ({
  status,
  outcome: `gateway:${status}`,
  headers: { 'content-type': /^text\/html/, 'retry-after': RETRIES[status] },
  body: new RegExp(`<h1>${status} `),
})

t.test('every way to force a gateway status works for every operation', async (t) => {
  const server = await build(t)
  const before = await traces(server)
  for (const contract of contracts as readonly Contract[]) {
    for (const status of GATEWAY_STATUSES) {
      const own = !isGatewayStatus(contract, status)
      const { url, ...request } = requestOf(contract)
      const twin = (query: string) => `${url}${url.includes('?') ? '&' : '?'}${query}`
      const sandbox = `${contract.id}-${status}`
      await server.app.inject({ method: 'PUT', url: `/~${sandbox}/__admin/scenarios/${gatewayId(status)}` })
      const ways = {
        header: { ...request, url, headers: { ...request.headers, prefer: `code=${status}` } },
        query: { ...request, url: twin(`__code=${status}`) },
        name: { ...request, url: twin(`__scenario=${gatewayId(status)}`) },
        'a scenario that is on': { ...request, url: `/~${sandbox}${url}` },
        'no token': { method: contract.method, url, headers: { prefer: `code=${status}` } },
      }
      for (const [way, sent] of Object.entries(ways)) {
        const response = await server.app.inject(sent)
        const wanted = own ? { status, outcome: outcomeId(contract, status) } : byGateway(status)
        t.match(answerOf(response), wanted, `${contract.id}, ${status} by ${way}`)
      }
    }
  }
  t.equal(await traces(server), before, 'nothing has taken place')
  const { outcomes } = await adminOf(server).coverage()
  const covered = outcomes.filter(({ count }) => count > 0).map(({ outcome }) => outcome)
  const isOne = (id: string) => GATEWAY_STATUSES.some((status) => id.endsWith(`:${status}`))
  const declared = contracts.flatMap((one: Contract) => statusesOf(one).map((status) => outcomeId(one, status)))
  t.same(covered, declared.filter(isOne), 'an answer of a gateway covers no outcome')
})

t.test('a rule with a gateway status answers before authentication', async (t) => {
  const server = await playing(t, [
    { on: 'verifyDocument', times: 1, when: { query: { user_type: 'X' } }, answer: { status: 502 } },
    { on: ['uploadSignature', 'addOrganizationMember'], times: 2, answer: { status: 500 } },
    { on: 'listCreditHistories', times: 1, answer: { status: 503, body: { down: true } } },
    { on: 'addOrganizationMember', times: 1, when: { body: { 'data[0][role]': 'Admin' } }, answer: { status: 504 } },
    { on: 'addOrganizationMember', times: 1, answer: { status: 504, effect: 'after' } },
  ])
  const anonymous = { headers: { authorization: undefined } }
  const verify = (changes: object) => send(server, api.verifyDocument, changes)
  t.equal((await verify(anonymous)).statusCode, 401, 'a request that the rule does not fit is authenticated')
  const broken = await verify({ ...anonymous, query: { user_type: 'X' } })
  t.match(answerOf(broken), byGateway(502), 'one that it fits is not')
  t.match(answerOf(await send(server, api.uploadSignature, anonymous)), byGateway(500), 'where it is not declared')
  const own = await send(server, api.addOrganizationMember)
  t.match(own.headers, { 'x-mock-outcome': 'addOrganizationMember:500', 'content-type': /json/ }, 'else it is its own')
  const json = await send(server, api.listCreditHistories)
  t.match([json.headers['content-type'], json.headers['retry-after'], json.json()], [/json/, '1', { down: true }])
  t.equal((await send(server, api.addOrganizationMember, anonymous)).statusCode, 401, 'a rule about the body waits')
  const asAdmin = { form: { 'data[0][role]': 'Admin' } }
  t.match(answerOf(await send(server, api.addOrganizationMember, asAdmin)), byGateway(504), 'and answers then')
  t.equal((await adminOf(server).mails()).length, 0, 'no invitation was sent so far')
  t.match(answerOf(await send(server, api.addOrganizationMember)), byGateway(504), 'after the operation')
  t.equal((await adminOf(server).mails()).length, 1, 'it has taken place')
})

t.test('rules with offContract may have any status and content type', async (t) => {
  const off = (answer: object) => ({ on: 'listCreditHistories', times: 1, offContract: true, answer })
  const server = await playing(t, [
    off({ status: 418 }),
    off({ status: 204 }),
    off({ status: 302, headers: { location: '/login' } }),
    off({ status: 200, headers: { 'content-type': 'application/xml' }, body: '<page/>' }),
    off({ status: 599, body: 'a text' }),
    off({ body: [] }),
  ])
  const answers = []
  for (let nth = 0; nth < 6; nth++) answers.push(await send(server, api.listCreditHistories))
  t.match(
    answers.map(({ statusCode, headers, body }) => [statusCode, headers['content-type'], headers.location, body]),
    [
      [418, 'text/plain', undefined, ''],
      [204, undefined, undefined, ''],
      [302, 'text/plain', '/login', ''],
      [200, 'application/xml', undefined, '<page/>'],
      [599, /json/, undefined, '"a text"'],
      [200, /json/, undefined, '[]'],
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
  t.equal((await send(server, api.verifyDocument, { headers })).statusCode, 404, 'a call may ask for another')
  await adminOf(server).deactivate('gateway:503')
  t.equal((await send(server, api.verifyDocument)).statusCode, 404, 'the other one goes on when it is off')
})

const EMAIL = 'data[0][email]'

const scenarioOf = async (server: Server) => (await adminOf(server).call('GET', 'scenarios/it')).json()
const refusals: readonly (readonly [why: string, Contract, Changes, status: number])[] = [
  ['without a token', api.addOrganizationMember, { headers: { authorization: undefined } }, 401],
  ['without permission', api.updateSubOrganizationMember, { headers: { authorization: 'Bearer token-member' } }, 403],
  ['without a form', api.uploadSignature, { headers: { 'content-type': 'text/plain' } }, 422],
  ['of what is there already', api.addOrganizationMember, { form: { [EMAIL]: 'li.jun@example.test' } }, 409],
]

t.test('effect: after applies only to a success: an error stands, and the rule is not spent', async (t) => {
  for (const [why, contract, changes, status] of refusals) {
    const server = await playing(t, [{ on: '*', times: 1, answer: { status: 401, effect: 'after' }, then: 'Over' }])
    const label = `${contract.id} ${why}`
    t.equal((await send(server, contract, changes)).statusCode, status, `${label}: the answer is ${status}`)
    t.match(await lastExchange(server), { cause: 'natural', status, outcome: `${contract.id}:${status}` }, label)
    t.match(await scenarioOf(server), { state: 'Started', rules: [{ answered: 0 }] }, `${label}: the rule is not spent`)
    t.equal((await send(server, contract)).statusCode, 401, `${label}: the next valid call meets the rule`)
    t.match(await scenarioOf(server), { state: 'Over', rules: [{ answered: 1 }] }, `${label}: the rule is then spent`)
  }
})
