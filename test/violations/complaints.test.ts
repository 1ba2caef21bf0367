import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { listCreditHistories, updateSubOrganizationMember } from '../../schemas/index.js'
import { readConfig } from '../../src/server/config-file.js'
import { describeComplaint, type InvalidFiles } from '../../src/text/invalid-files.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { folder } from '../binary.js'
import { answerOf, build, lastExchange, send } from '../helper.js'

const LONG = 'x'.repeat(70_000)

/** Config files that are wrong, and what is said of each. */
const wrong: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  'a long key': [`${'x'.repeat(500)}: 1`, /^.*:1:1: The key 'x{80}…' is unknown\./],
  'a key with a line end': ['"a\\nb\\e[31m": 1', /The key 'a\\u000ab\\u001b\[31m' is unknown\./],
  'a long key further down': [`interpretations: { ${LONG}: 1 }`, /The key 'x{80}…' is unknown\./],
  'a long value': [`port: ${LONG}`, /'port' must be a whole number from 0 to 65535, not 'x{80}…'\./],
  'a control character above': ['# \u009b2J\u202e\nprot: 1', /The key 'prot' is unknown/],
  'a long mistake': [`>${LONG}\n`, /Block scalar header includes extra characters: >x+…\./],
}

t.test('what a complaint quotes of a file is short and on one line', async (t) => {
  const place = folder(t)
  for (const [what, [text, says]] of Object.entries(wrong)) {
    await writeFile(join(place, 'countersign.config.yaml'), text)
    const error: InvalidFiles = await readConfig(undefined, place).catch((reason) => reason)
    const [complaint = ''] = error.complaints.map(describeComplaint)
    t.match(complaint, says, `${what}: the complaint quotes it`)
    t.ok(complaint.length < 1_500, `${what}: the complaint is short`)
    t.notMatch(complaint, /[^\n\P{Cc}]/u, `${what}: nothing in it moves the cursor`)
  }
})

/** Fixtures that are wrong, and their complaint before anybody writes it out. */
const asData: Readonly<Record<string, readonly [text: string, complaint: object]>> = {
  'none.json': ['', { code: 'unreadable', subject: 'fixtures', reason: 'ENOENT' }],
  'cut.json': ['{', { code: 'syntax', line: 1, column: 2 }],
  'deep.yaml': [`users: ${'['.repeat(101)}${']'.repeat(101)}`, { code: 'syntax' }],
  'format.yaml': ['users: 1', { code: 'schema', path: 'users', line: 1, column: 8 }],
  'base.yaml': ['extends: ./nix.yaml', { code: 'reference', path: 'extends', line: 1, column: 10 }],
  'twice.yaml': ['organizations: [RECORD, RECORD]', { code: 'duplicate', path: /^organizations\[1\]/, line: 1 }],
}
const RECORD = '{ id: 900, uuid: 0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95, name: Example }'

t.test('a complaint is data: its kind, the file in full, the place, and the reason of the system', async (t) => {
  for (const [name, [text, complaint]] of Object.entries(asData)) {
    const file = join(folder(t), name)
    if (text !== '') await writeFile(file, text.replaceAll('RECORD', RECORD))
    await t.rejects(readFixtures(file), { name: 'InvalidFiles', complaints: [{ file, ...complaint }] }, name)
  }
})

const MISSING = ['missing-parameter', false] as const
const UNMET = ['expectation-unmet', false] as const

/** What is wrong with the request, the status that it says it expects, the status that it gets, and what is told. */
const expectations: readonly (readonly [
  what: string,
  query: Readonly<Record<string, string | undefined>>,
  expected: number,
  status: number,
  told: readonly (readonly [code: string, expected: boolean])[],
])[] = [
  ['a mistake that is meant', { page: undefined }, 400, 400, [['missing-parameter', true]]],
  ['another status than was expected', { page: undefined }, 404, 400, [MISSING, UNMET]],
  ['a request that is answered, and should not be', {}, 400, 200, [UNMET]],
  ['a request that is answered, as expected', {}, 200, 200, []],
  ['a slip that led to nothing', { organization_uuid: 'undefined' }, 200, 200, [['placeholder-value', false]]],
]

t.test('a request says which status it expects, by header or query', async (t) => {
  const server = await build(t)
  for (const [what, query, expected, status, told] of expectations) {
    for (const sent of [
      { query, headers: { prefer: `expect=${expected}` } },
      { query: { ...query, __expect: `${expected}` } },
    ]) {
      const label = `${what}, by ${'headers' in sent ? 'header' : 'query'}`
      const answer = answerOf(await send(server, listCreditHistories, sent))
      const headers = { 'preference-applied': `expect=${expected}` }
      t.match(answer, { status, headers }, `${label}: it is answered as it would be anyway`)
      const { violations, request } = entryOf(lastExchange(server))
      const codes = violations.map(({ code, expected }) => [code, expected])
      t.same(codes, told, `${label}: the journal tells what is meant`)
      t.notOk('__expect' in request.query, `${label}: the contract does not see it`)
      for (const { cites, basis } of violations.filter(({ code }) => code === 'expectation-unmet'))
        t.same([basis, cites], ['suspicious', []], `${label}: an expectation cites nothing`)
    }
  }
})

t.test('what is expected goes with all the rest', async (t) => {
  const server = await build(t)
  const forbidden = { authorization: 'Bearer token-member', prefer: 'expect=403' }
  const refused = await send(server, updateSubOrganizationMember, { headers: forbidden })
  t.equal(refused.statusCode, 403, 'a 403 is expected')
  t.match(entryOf(lastExchange(server)).violations, [{ code: 'missing-permission', expected: true }], 'and meant')

  const forced = await send(server, listCreditHistories, { headers: { prefer: 'code=401, expect=401' } })
  t.equal(forced.statusCode, 401, 'a forced outcome can be expected')
  t.same(lastExchange(server).violations, [], 'and has no violation')

  const lost = await server.app.inject({ url: '/api/v2/credit/histories', headers: { prefer: 'expect=404' } })
  t.equal(lost.statusCode, 404, 'a path that no operation has can be expected to be none')
  t.match(entryOf(lastExchange(server)).violations, [{ code: 'no-such-route', expected: true }], 'and is meant')

  for (const value of ['no', '40', '', '4000']) {
    const malformed = await send(server, listCreditHistories, { headers: { prefer: `expect=${value}` } })
    const problem = { code: 'malformed-preference', detail: /'expect' must be a status such as 409/ }
    t.match(malformed.json(), problem, `expect=${value} is refused, and quoted`)
  }
})
