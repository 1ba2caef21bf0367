import type { InjectOptions } from 'fastify'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { build, lastExchange, multipart, requestOf, send } from '../helper.js'

/** 16 KiB of each body and of the query; names, quotes and what the mock itself says come on top. */
const SHOWN = 128 * 1024

t.test('an exchange keeps 16 KiB of each body, however it is made', async (t) => {
  const server = await build(t)
  const long = 'x'.repeat(20_000_000)
  const { headers, url } = requestOf(addOrganizationMember)
  const asJson = { ...headers, 'content-type': 'application/json' }
  const formOf = (parts: readonly (readonly [string, string])[]): InjectOptions => {
    const { headers: own, body } = multipart(parts)
    return { method: 'POST', url, headers: { ...headers, ...own }, payload: body }
  }
  const times = (field: (at: number) => [string, string]) => formOf(Array.from({ length: 900 }, (_, at) => field(at)))
  const cases: Readonly<Record<string, InjectOptions>> = {
    'a JSON body of 20 MB': { method: 'POST', url, headers: asJson, payload: JSON.stringify({ long }) },
    'a field of 20 MB': formOf([['data[0][email]', long]]),
    'a thousand fields of 20 kB': times((at) => [`f${at}`, 'y'.repeat(20_000)]),
    'one field a thousand times': times(() => ['f', 'y'.repeat(20_000)]),
    'a name of 900 characters a thousand times': times((at) => ['z'.repeat(900) + at, 'y']),
    'four thousand keys of a query': { url: `/?${Array.from({ length: 4_000 }, (_, at) => at).join('&')}` },
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

t.test('a short token redacts neither sandbox names nor words of the mock', async (t) => {
  const server = await build(t, { auth: 'any' })
  const headers = { authorization: 'Bearer test', cookie: 'session=abcdefghijkl; listCreditHistories=1' }
  await server.app.inject({ url: `/~test-1${requestOf(listCreditHistories).url}&q=test&r=%20test`, headers })
  const entry = entryOf(lastExchange(server, 'test-1'))
  t.match(entry, { sandbox: 'test-1', operation: 'listCreditHistories' }, 'the words of the mock stay')
  t.match(entry.url, /^\/~test-1\/.*&q=\[redacted\]&r=%20\[redacted\]$/, 'the token is gone from the URL')
  t.match(entry.violations[0]?.message, 'listCreditHistories', 'the name of a cookie is no secret')
})
