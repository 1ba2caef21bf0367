import t from 'tap'
import { startMockServer } from '../../src/index.js'

const CREDITS = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'

t.test('a Prefer header is read to its preferences (RFC 7240)', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const ask = (prefer: string) => mock.fetch(CREDITS, { headers: { authorization: 'Bearer token-admin', prefer } })
  for (const [prefer, applied] of [
    ['code=401', 'code=401'],
    ['Code = 401 , delay=1', 'code=401, delay=1'],
    ['scenario="slow-everything"; x=1, respond-async, delay=0', 'scenario=slow-everything, delay=0'],
    [', ,', null],
    ['respond-async', null],
  ] as const)
    t.equal((await ask(prefer)).headers.get('preference-applied'), applied, prefer)
  for (const broken of ['=409', 'code 409', '"code"=409'])
    t.equal((await ask(broken)).headers.get('x-mock-error'), 'malformed-preference', broken)
  const unknown = await ask('scenario="a, \\"b\\""')
  t.match(await unknown.json(), { detail: /^There is no scenario 'a, "b"'\./ }, 'a quoted value')
})
