import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { Clock } from '../../src/world/clock.js'
import { AllJournals } from '../../src/world/journal/all-journals.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { Journal } from '../../src/world/journal/journal.js'
import { build, lastExchange, requestOf, send } from '../helper.js'
import { formOf, manyItems } from '../many-items.js'

/** 16 KiB of each body and of the query; names, quotes and what the mock itself says come on top. */
const SHOWN = 128 * 1024

t.test('an exchange keeps 16 KiB of each body, however it is made', async (t) => {
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
    t.ok(shown < SHOWN, `${label}: it keeps and shows little`, { shown })
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

/** Adds so many exchanges to a journal. */
function fill(journal: Journal, count: number): void {
  for (let nth = 0; nth < count; nth++) journal.close(journal.open(CALL), 200, { headers: {}, body: null })
}

t.test(
  'the journals of all worlds are bounded together; the one that was idle the longest forgets first',
  async (t) => {
    const all = new AllJournals(50)
    const journalOf = () => new Journal(null, new Clock(), 40, all)
    const [idle, busy] = [journalOf(), journalOf()]
    const kept = () => [idle, busy].map((journal) => journal.exchanges().length)
    fill(idle, 20)
    fill(busy, 25)
    t.same(kept(), [20, 25], 'what fits stays')
    fill(busy, 10)
    t.same(kept(), [15, 35], 'the idle one forgets')
    fill(busy, 10)
    t.same(kept(), [10, 40], 'a journal that is full forgets its own')
    fill(idle, 5)
    t.same(kept(), [15, 35], 'it is the busy one’s turn')
    busy.clear()
    fill(idle, 30)
    t.same(kept(), [40, 0], 'what is cleared makes room')
    fill(journalOf(), 40)
    t.same(kept(), [10, 0], 'in another world, too')
  },
)

t.test('an exchange that ends after it was forgotten is not kept', async (t) => {
  const journal = new Journal(null, new Clock(), 5, new AllJournals())
  const late = journal.open(CALL)
  fill(journal, 10)
  journal.close(late, 200, { headers: {}, body: null })
  t.notOk(journal.exchanges().includes(late), 'it has gone')
  t.equal(journal.exchanges().length, 5)
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
