import t from 'tap'
import { type Contract, outcomeId, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { GATEWAY_STATUSES, gatewayId, isGatewayStatus } from '../../schemas/gateway.js'
import { addOrganizationMember, listCreditHistories, uploadSignature, verifyDocument } from '../../schemas/index.js'
import { coverageOf } from '../../src/coverage/coverage.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { answerOf, build, lastExchange, requestOf, send } from '../helper.js'
import { playing, traces } from './play.js'

const RETRIES: Readonly<Record<number, string>> = { 429: '1', 503: '1' }

/** What a call that a gateway answered looks like. */
const byGateway = (status: number) => ({
  status,
  outcome: `gateway:${status}`,
  headers: { 'content-type': /^text\/html/, 'retry-after': RETRIES[status] },
  body: new RegExp(`<h1>${status} `),
})

t.test('every operation answers every gateway status, in every way that it can be asked for', async (t) => {
  const server = await build(t)
  const before = traces(server)
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
  t.equal(traces(server), before, 'nothing has taken place')
  const { outcomes } = coverageOf(contracts, [server.worlds.root.journal.outcomes])
  const covered = outcomes.filter(({ count }) => count > 0).map(({ outcome }) => outcome)
  const isOne = (id: string) => GATEWAY_STATUSES.some((status) => id.endsWith(`:${status}`))
  const declared = contracts.flatMap((one: Contract) => statusesOf(one).map((status) => outcomeId(one, status)))
  t.same(covered, declared.filter(isOne), 'what a gateway answers covers no outcome')
})

t.test('the journal tells what a gateway answered, and no deviation', async (t) => {
  const server = await build(t)
  await server.app.inject({ url: requestOf(listCreditHistories).url, headers: { prefer: 'code=503' } })
  t.match(entryOf(lastExchange(server)), {
    outcome: 'gateway:503',
    operation: 'listCreditHistories',
    status: 503,
    cause: 'prefer',
    deviations: [],
    response: { body: /503/ },
  })
})

t.test('a rule answers as a gateway does, before anybody authenticates', async (t) => {
  const server = await playing(t, [
    { on: 'verifyDocument', times: 1, when: { query: { user_type: 'X' } }, answer: { status: 502 } },
    { on: ['uploadSignature', 'addOrganizationMember'], times: 2, answer: { status: 500 } },
    { on: 'listCreditHistories', times: 1, answer: { status: 503, body: { down: true } } },
    {
      on: 'listCreditHistories',
      times: 1,
      answer: { status: 503, headers: { 'Content-Type': 'text/plain' }, body: 'down' },
    },
    { on: 'addOrganizationMember', times: 1, when: { body: { 'data[0][role]': 'Admin' } }, answer: { status: 504 } },
    { on: 'addOrganizationMember', times: 1, answer: { status: 504, effect: 'after' } },
  ])
  const anonymous = { headers: { authorization: undefined } }
  const verify = (changes: object) => send(server, verifyDocument, changes)
  t.equal((await verify(anonymous)).statusCode, 401, 'a request that the rule does not fit is authenticated')
  const broken = await verify({ ...anonymous, query: { user_type: 'X' } })
  t.match(answerOf(broken), byGateway(502), 'one that it fits is not')
  t.match(answerOf(await send(server, uploadSignature, anonymous)), byGateway(500), 'where the status is not declared')
  const own = await send(server, addOrganizationMember)
  t.match(own.headers, { 'x-mock-outcome': 'addOrganizationMember:500', 'content-type': /json/ }, 'else it is its own')
  const json = await send(server, listCreditHistories)
  t.match([json.headers['content-type'], json.headers['retry-after'], json.json()], [/json/, '1', { down: true }])
  const text = await send(server, listCreditHistories)
  t.match([text.headers['content-type'], text.body], ['text/plain', 'down'], 'a body of its own, as it names it')
  t.equal((await send(server, addOrganizationMember, anonymous)).statusCode, 401, 'a rule about the body waits for it')
  const admin = { form: { 'data[0][role]': 'Admin' } }
  t.match(answerOf(await send(server, addOrganizationMember, admin)), byGateway(504), 'and answers then')
  t.equal(server.worlds.root.outbox.messages().length, 0, 'nobody is invited so far')
  t.match(answerOf(await send(server, addOrganizationMember)), byGateway(504), 'after the operation')
  t.equal(server.worlds.root.outbox.messages().length, 1, 'it has taken place')
})

t.test('rules against the contract have any status and content type', async (t) => {
  const off = (answer: object) => ({ on: 'listCreditHistories', times: 1, offContract: true, answer })
  const server = await playing(t, [
    off({ status: 418 }),
    off({ status: 204 }),
    off({ status: 302, headers: { location: '/login' } }),
    off({ status: 200, headers: { 'content-type': 'application/xml' }, body: '<page/>' }),
    off({ status: 599, body: 'a text' }),
  ])
  const answers = []
  for (let nth = 0; nth < 5; nth++) answers.push(await send(server, listCreditHistories))
  t.match(
    answers.map(({ statusCode, headers, body }) => [statusCode, headers['content-type'], headers.location, body]),
    [
      [418, 'text/plain', undefined, ''],
      [204, undefined, undefined, ''],
      [302, 'text/plain', '/login', ''],
      [200, 'application/xml', undefined, '<page/>'],
      [599, /json/, undefined, '"a text"'],
    ],
  )
  t.equal(answers[0]?.headers['x-mock-outcome'], 'listCreditHistories:418', 'the outcome has the operation’s name')
  t.equal(coverageOf(contracts, [server.worlds.root.journal.outcomes]).covered, 1, 'only a declared status is covered')
  const deviations = server.worlds.root.journal.exchanges().flatMap((one) => one.deviations)
  t.ok(deviations.every(({ meant }) => meant))
})

t.test('the two shipped scenarios are a service that is down and a client that calls too often', async (t) => {
  const server = await build(t)
  for (const [name, status] of [['service-down', 503] as const, ['rate-limited', 429] as const]) {
    for (const contract of contracts as readonly Contract[]) {
      const headers = { prefer: `scenario=${name}`, authorization: undefined }
      t.match(answerOf(await send(server, contract, { headers })), byGateway(status), `${name}: ${contract.id}`)
    }
  }
})

t.test('a gateway status that is on applies to every operation, also where another outcome is on', async (t) => {
  const scenario = ['verifyDocument:404', 'gateway:503']
  const server = await build(t, { scenario })
  for (const contract of [verifyDocument, listCreditHistories])
    t.match(answerOf(await send(server, contract)), { status: 503, outcome: 'gateway:503' }, contract.id)
  const headers = { authorization: 'Bearer token-admin', prefer: 'scenario=verifyDocument:404' }
  t.equal((await send(server, verifyDocument, { headers })).statusCode, 404, 'a call that asks for another one gets it')
  server.worlds.root.playback.deactivate('gateway:503')
  t.equal((await send(server, verifyDocument)).statusCode, 404, 'the other one goes on when it is off')
})
