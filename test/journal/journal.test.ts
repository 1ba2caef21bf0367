import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { SharedBudget } from '../../src/world/budget.js'
import { Clock } from '../../src/world/clock.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { Journal } from '../../src/world/journal/journal.js'
import { build, lastExchange, requestOf, send } from '../helper.js'
import { formOf, manyItems } from '../many-items.js'

/** 64 KiB; names, quotes and what the mock itself says come on top. */
const SHOWN = 3 * 64 * 1024

t.test('an exchange keeps 64 KiB, however its body is made', async (t) => {
  const server = await build(t)
  const long = 'x'.repeat(20_000_000)
  const { headers, url } = requestOf(addOrganizationMember)
  const asJson = { ...headers, 'content-type': 'application/json' }
  const times = (field: (at: number) => [string, string]) => formOf(Array.from({ length: 900 }, (_, at) => field(at)))
  const cases: Readonly<Record<string, InjectOptions>> = {
    'a JSON body of 20 MB': { method: 'POST', url, headers: asJson, payload: JSON.stringify({ long }) },
    'a field of 20 MB': formOf([['data[0][email]', long]]),
    'a thousand fields of 20 kB': times((at) => [`f${at}`, 'y'.repeat(20_000)]),
    'one field a thousand times': times(() => ['f', 'y'.repeat(20_000)]),
    'a name of 900 characters a thousand times': times((at) => ['z'.repeat(900) + at, 'y']),
    ...manyItems,
  }
  for (const [label, request] of Object.entries(cases)) {
    await server.app.inject(request)
    const exchange = lastExchange(server)
    const shown = JSON.stringify(entryOf(exchange)).length
    t.ok(Math.max(shown, exchange.size) < SHOWN, `${label}: it keeps and shows little`, { shown, kept: exchange.size })
    t.ok(exchange.violations.length <= 51, `${label}: not every violation is kept`)
  }
})

t.test('the answer is kept too where the request is long', async (t) => {
  const server = await build(t)
  await send(server, addOrganizationMember, { form: { note: 'x'.repeat(100_000) } })
  const { response } = entryOf(lastExchange(server))
  t.match(response?.body, { status: 'success' }, 'its body is whole')
})

const CALL = { contract: null, method: 'GET', url: '/', headers: {}, sandboxBy: null }

/** A journal with an exchange for each number, which keeps that many bytes. */
function filled(budget: SharedBudget, sizes: readonly number[]): Journal {
  const journal = new Journal(null, new Clock(), 1_000, budget)
  for (const size of sizes) {
    const exchange = journal.open(CALL)
    exchange.text = 'x'.repeat(size)
    journal.close(exchange, 200, { headers: {}, body: null })
  }
  return journal
}

t.test('the journals of all worlds share a budget; the one that was idle the longest forgets first', async (t) => {
  const budget = new SharedBudget(500_000)
  const idle = filled(budget, Array(20).fill(10_000))
  const busy = filled(budget, Array(40).fill(10_000))
  t.ok(budget.bytes <= 500_000, 'the budget is kept', { bytes: budget.bytes })
  t.ok(idle.exchanges().length < busy.exchanges().length, 'the idle one forgets')
  t.ok(busy.exchanges().length >= 20, 'the busy one keeps most')
  const many = Array.from({ length: 100 }, () => filled(budget, [30_000]))
  t.ok(budget.bytes <= 500_000, 'a hundred worlds with one exchange each keep it too', { bytes: budget.bytes })
  for (const journal of [idle, busy, ...many]) journal.end()
  t.equal(budget.bytes, 0, 'worlds that go give back what they kept')
})

t.test('what a journal forgets is given back, whichever way it goes', async (t) => {
  const budget = new SharedBudget(1_000_000)
  const journal = new Journal(null, new Clock(), 5, budget)
  const open = () => journal.open(CALL)
  const late = open()
  for (let nth = 0; nth < 50; nth++) journal.close(open(), 200, { headers: {}, body: null })
  const before = budget.bytes
  journal.close(late, 200, { headers: {}, body: 'x'.repeat(10_000) })
  t.equal(budget.bytes, before, 'an exchange that ends after it was forgotten counts no more')
  journal.clear()
  t.equal(budget.bytes, 0, 'nothing is kept after it was cleared')
})

t.test('an answer that was held back over a reset counts in no outcome after it', async (t) => {
  const server = await build(t)
  const held = send(server, listCreditHistories, { headers: { prefer: 'delay=300' } })
  await new Promise((later) => setTimeout(later, 100))
  await server.app.inject({ method: 'POST', url: '/__admin/reset' })
  t.equal((await held).statusCode, 200, 'it is answered')
  const { covered } = (await server.app.inject('/__admin/coverage')).json()
  t.equal(covered, 0, 'the new world has met nothing')
})

t.test('a short token redacts neither sandbox names nor words of the mock', async (t) => {
  const server = await build(t, { auth: 'any' })
  const headers = { authorization: 'Bearer test', cookie: 'session=abcdefghijkl; listCreditHistories=1' }
  await server.app.inject({ url: `/~test-1${requestOf(listCreditHistories).url}&q=test&r=%20test`, headers })
  const entry = entryOf(lastExchange(server, 'test-1'))
  t.match(entry, { sandbox: 'test-1', operation: 'listCreditHistories' }, 'the words of the mock stay')
  t.match(entry.url, /^\/~test-1\/.*&q=\[redacted\]&r=%20\[redacted\]$/, 'the token is gone from the URL')
  t.match(entry.violations[0]?.message, 'listCreditHistories', 'the name of a cookie is no secret')
})
