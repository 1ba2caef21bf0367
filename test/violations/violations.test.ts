import t from 'tap'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { answerOf, build, fileOf, fixtureFile, lastExchange, send } from '../helper.js'

const MISSING = ['missing-parameter', false] as const
const UNMET = ['expectation-unmet', false] as const

const expectations: readonly (readonly [
  title: string,
  query: Readonly<Record<string, string | undefined>>,
  expectedStatus: number,
  status: number,
  reported: readonly (readonly [code: string, expected: boolean])[],
])[] = [
  ['an intended mistake', { page: undefined }, 400, 400, [['missing-parameter', true]]],
  ['a mistake with an unexpected status', { page: undefined }, 404, 400, [MISSING, UNMET]],
  ['a valid request that expects 400', {}, 400, 200, [UNMET]],
  ['a valid request that expects 200', {}, 200, 200, []],
  ['a slip that changes no status', { organization_uuid: 'undefined' }, 200, 200, [['placeholder-value', false]]],
]

t.test('a request can expect a status, by header or query', async (t) => {
  const server = await build(t)
  for (const [title, query, expectedStatus, status, reported] of expectations) {
    for (const sent of [
      { query, headers: { prefer: `expect=${expectedStatus}` } },
      { query: { ...query, __expect: `${expectedStatus}` } },
    ]) {
      const label = `${title}, by ${'headers' in sent ? 'header' : 'query'}`
      const answer = answerOf(await send(server, api.listCreditHistories, sent))
      const headers = { 'preference-applied': `expect=${expectedStatus}` }
      t.match(answer, { status, headers }, `${label}: the expectation does not change the status`)
      const { violations, request } = await lastExchange(server)
      const codes = violations.map(({ code, expected }) => [code, expected])
      t.same(codes, reported, `${label}: the journal marks expected violations`)
      t.notOk('__expect' in request.query, `${label}: __expect is removed from the query`)
      for (const { cites, basis } of violations.filter(({ code }) => code === 'expectation-unmet'))
        t.same([basis, cites], ['suspicious', []], `${label}: an expectation cites nothing`)
    }
  }
})

t.test('Prefer: expect=STATUS works for a 403 and a forced outcome; other values are refused', async (t) => {
  const server = await build(t)
  const forbidden = { authorization: 'Bearer token-member', prefer: 'expect=403' }
  const refused = await send(server, api.updateSubOrganizationMember, { headers: forbidden })
  t.equal(refused.statusCode, 403, 'a 403 can be expected')
  t.match((await lastExchange(server)).violations, [{ code: 'missing-permission', expected: true }])

  const forced = await send(server, api.listCreditHistories, { headers: { prefer: 'code=401, expect=401' } })
  t.equal(forced.statusCode, 401, 'a forced outcome can be expected')
  t.same((await lastExchange(server)).violations, [], 'a forced outcome has no violation')

  for (const value of ['no', '40', '', '4000']) {
    const malformed = await send(server, api.listCreditHistories, { headers: { prefer: `expect=${value}` } })
    const problem = { code: 'malformed-preference', detail: /'expect' must be a status such as 409/ }
    t.match(malformed.json(), problem, `expect=${value} is refused`)
  }
})

t.test('a file whose bytes were decoded as text is reported', async (t) => {
  const server = await build(t)
  for (const [contract, name] of [
    [api.verifyDocument, 'verified.pdf'],
    [api.uploadSignature, 'signature.png'],
  ] as const) {
    const { content } = fixtureFile(name)
    for (const encoding of ['utf8', 'latin1'] as const) {
      const file = fileOf(Buffer.from(content).toString(encoding), name)
      await send(server, contract as Contract, { form: { file, code: undefined } })
      const { violations } = await lastExchange(server)
      t.match(violations, [{ code: 'file-decoded', where: 'form.file' }], `${name} in ${encoding}`)
    }
  }
  const file = fileOf('%PDF-1.7\n%µ¶ as MuPDF writes\n% Jürgen\n', 'a.pdf')
  await send(server, api.verifyDocument, { form: { file, code: undefined } })
  t.same((await lastExchange(server)).violations, [], 'a PDF may contain UTF-8')
})
