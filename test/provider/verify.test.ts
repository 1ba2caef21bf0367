import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isRead } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { statements } from '../../schemas/statements.js'
import { run } from '../command-line.js'
import { countersign, TOKEN, verify } from '../forward/provider.js'

const writes = contracts.filter((contract) => !isRead(contract)).map(({ id }) => id)
const said = statements.filter((one) => !('notShown' in one)).map(({ id }) => id)
const OUT_OF_SIGHT = ['S1.8', 'S6.6', 'S6.8', 'SE.6']

function reportOf(file: string) {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const { statements, summary } = report as { statements: { id: string; state: string }[]; summary: object }
  return { summary, statements, of: (id: string) => statements.find((one) => one.id === id) }
}

t.test('a countersign server is as documented, and nothing is written unless it is allowed', async (t) => {
  const mock = await countersign(t)
  const before = await mock.state.get()
  const { code, text } = await verify(t, mock.url)
  t.equal(code, 0, 'it passes', { text })
  t.match(text, /\d+ of 79 statements checked: (\d+) ok, 0 drift, 0 differ from an interpretation\.\n$/)
  t.match(text, /S1\.4.+S7\.5.* {2}It needs --allow-writes\./, 'what was not looked at is told, with the reason')
  t.strictSame(await mock.state.get(), before, 'the state is as it was')
  t.strictSame(await mock.outbox.messages(), [], 'no mail is sent')
  const written = (await mock.requests()).filter(({ operation }) => writes.some((one) => one === operation))
  t.strictSame([...new Set(written.map(({ status }) => `${status}`[0]))], ['4'], 'every write is refused')
})

t.test('with writes, and a user without the permission, every statement is checked that can be seen', async (t) => {
  const mock = await countersign(t)
  const members = JSON.stringify((await mock.state.get()).sub_organization_members)
  const file = join(t.testdir({}), 'reports/verify.json')
  const sandbox = await mock.sandbox('w')
  const all = ['--allow-writes', '--token-without-permission', 'token-member', '--strict', '--json', file]
  const { code, text } = await verify(t, `${sandbox.url}/`, ...all)
  t.equal(code, 0, 'it passes', { text })
  const { statements, summary } = reportOf(file)
  const idsOf = (some: typeof statements) => some.map(({ id }) => id)
  t.strictSame(idsOf(statements), said, 'each statement once')
  const unseen = idsOf(statements.filter(({ state }) => state !== 'ok'))
  t.strictSame(unseen.sort(), OUT_OF_SIGHT, 'all that can be seen are ok')
  t.match(summary, { ok: 75, drift: 0, differs: 0, unchecked: 4, checked: 75, total: 79 }, 'they are counted')
  t.strictSame(await mock.requests(), [], 'the root sandbox was not called')
  t.equal(JSON.stringify((await sandbox.state.get()).sub_organization_members), members, 'the member is as it was')
  t.match(text, /Left at the provider\n {2}a signature image/, 'what stays is told')
  const strangers = (await sandbox.outbox.messages()).filter(({ to }) => !to.endsWith('@example.test'))
  t.strictSame(strangers, [], 'no one else gets a mail')
})

const ANY_PAGE = { page: { matches: '.+' }, per_page: '10', organization_uuid: { matches: '.+' } }
const RECORD = {
  organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
  type: 'purchase',
  amount: 1,
  currency: 'EUR',
  user_type: 'ENTERPRISE_API',
  details: { source: 'a', note: 'b' },
} as const

t.test('a mismatch is told by statement and place, the items of a list together', async (t) => {
  const when = { query: { ...ANY_PAGE, sort: { absent: true }, order: { absent: true } }, token: TOKEN }
  const histories = ['0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c11', '0b6a3d0e-6a51-4f0e-9f2c-3f1d8f7a2c12'].map((id) => ({
    ...RECORD,
    id,
    created_at: '2026-01-01T00:00:00+02:00',
    received_by: 'me',
  }))
  const answer = { status: 200, offContract: true, body: { page: 1, per_page: 10, total: 2, histories } }
  const mock = await countersign(t)
  await mock.scenarios.define('odd', { rules: [{ on: 'listCreditHistories', when, answer }], active: true })
  const { code, text } = await verify(t, mock.url, '--only', 'listCreditHistories')
  t.equal(code, 1, 'it fails')
  const folded =
    /✗ S0\.6 {2}histories\[\*\]\.created_at, (\d+) of \1: 'histories\[\*\]\.created_at' must be an ISO 8601/
  t.match(text, folded, 'the place is folded')
  t.equal(text.match(/^.*created_at.*$/gm)?.length, 1, 'once')
  const further = /Additional fields.*\n {2}listCreditHistories {2}histories\[\*\]\.received_by \(string\)/
  t.match(text, further, 'a further field is told, and no mismatch')
})

t.test('a mismatch from an interpretation alone does not fail, unless --strict', async (t) => {
  const mock = await countersign(t, { interpretations: { errorBody: 'flat', unknownSort: 'ignore' } })
  const lenient = await verify(t, mock.url)
  t.equal(lenient.code, 0, 'it passes')
  const flat = /~ I-02 {2}errorBody: flat there, but nested here: the answer is 4\d\d/
  t.match(lenient.text, flat, 'the switch is told, with both values')
  t.match(lenient.text, /~ I-06 {2}unknownSort: ignore there, but invalid here/, 'and another one')
  t.match(
    lenient.text,
    /\nRules\n {2}I-02: Error body: The one error body shown[^\n]* is used for all operations\.\n/,
    'the interpretation is explained',
  )
  t.equal((await verify(t, mock.url, '--strict')).code, 1, 'with --strict it fails')
  const file = join(t.testdir({ 'i.yaml': 'interpretations: { errorBody: flat, unknownSort: ignore }\n' }), 'i.yaml')
  const same = await verify(t, mock.url, '--strict', '--config', file)
  t.equal(same.code, 0, 'with the same interpretations it passes', { text: same.text })
})

t.test('calls are made with either token header, and with none', async (t) => {
  const mock = await countersign(t)
  await verify(t, mock.url, '--only', 'searchProtectedAttachments')
  const headers = (await mock.requests()).map(({ request }) => request.headers)
  const sent = new Set(
    headers.map((one) => ['user-token', 'authorization'].filter((name) => name in one).join(' and ')),
  )
  t.strictSame([...sent].sort(), ['', 'authorization', 'user-token'], 'either header is sent, and no token at all')
})

t.test('--only chooses operations, and COUNTERSIGN_TOKEN stands in for --token', async (t) => {
  const mock = await countersign(t)
  const argv = ['verify', '--target', mock.url, '--only', 'listCreditHistories, verifyDocument']
  const { code, out } = await run(t, argv, { env: { COUNTERSIGN_TOKEN: TOKEN } })
  t.equal(code, 0, 'it passes', { out })
  const called = new Set((await mock.requests()).map(({ operation }) => operation))
  t.strictSame([...called].sort(), ['listCreditHistories', 'verifyDocument'], 'only the chosen operations are called')
  t.match(out, /S1\.2.* {2}No call in this run shows it\./, 'the others are unchecked')
})

t.test('--data names what exists there', async (t) => {
  const mock = await countersign(t)
  const folder = t.testdir({
    'data.yaml': `verifyDocument:
  form: { file: verified.pdf }
listCreditHistories:
  query: { page: 2, per_page: 4 }
updateSubOrganizationMember:
  params: { subOrgMemberId: 102 }
  foreign: { subOrganizationUuid: e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024, subOrgMemberId: 302 }
addOrganizationMember:
  member: li.jun@example.test
`,
    'verified.pdf': readFileSync('fixtures/files/verified.pdf'),
    'wrong.yaml': 'listCreditHistories:\n  query: { pages: 2 }\n',
    'lost.json': '{ "uploadSignature": { "form": { "file": "lost.png" } } }',
  })
  const { code, text } = await verify(t, mock.url, '--data', join(folder, 'data.yaml'), '--allow-writes')
  t.equal(code, 0, 'it passes', { text })
  const verified = (await mock.requests({ operation: 'verifyDocument', status: 200 })).map(
    ({ request }) => request.body,
  )
  t.match(JSON.stringify(verified), 'verified.pdf', 'the named file is sent')
  t.notMatch(JSON.stringify(verified), 'DOC-2025', 'and no example in its place')
  const urls = (await mock.requests()).map(({ url }) => url)
  for (const part of ['page=2&per_page=4', '/members/102?', '/members/302?'])
    t.match(urls.join('\n'), part, `${part} is called, as named`)
  t.notMatch(urls.join('\n'), '/members/101?', 'and not the example')
  const invited = (await mock.requests({ operation: 'addOrganizationMember', status: 409 })).map(
    ({ request }) => request.body,
  )
  t.match(invited, [{ 'data[0][email]': 'li.jun@example.test' }], 'the named member is invited')
  for (const [file, message] of [
    ['wrong.yaml', /wrong\.yaml:2:.+'pages' is unknown.+'page'/s],
    ['lost.json', /lost\.json:1:.+There is no file 'lost\.png'/s],
  ] as const) {
    const refused = await verify(t, mock.url, '--data', join(folder, file))
    t.match(refused, { code: 2, text: message }, `${file} is wrong use, told with its place`)
  }
})

t.test('headers of the user are sent with every call', async (t) => {
  const mock = await countersign(t)
  await verify(t, mock.url, '--only', 'verifyDocument', '--header', 'X-Tenant: blue', '--header', 'Accept-Language: da')
  const sent = (await mock.requests()).map(
    ({ request: { headers } }) => `${headers['x-tenant']} ${headers['accept-language']}`,
  )
  t.strictSame([...new Set(sent)], ['blue da'], 'both')
})

t.test('what it does not understand is said, without a token', async (t) => {
  const url = 'http://127.0.0.1:1'
  const at = (target: string) => ['verify', '--target', target, '--token', 'abc']
  for (const [argv, err] of [
    [
      at('nonsense'),
      /must be a base URL such as https:\/\/host\/base, without user, password and query, not 'nonsense'/,
    ],
    [at('ftp://host'), /must be a base URL/],
    [at('http://host/?a=b'), /must be a base URL/],
    [at('http://me:hidden@host'), /^(?!.*hidden).*without user, password and query/s],
    [[...at(url), '--only', 'verifyDocumnt'], /'verifyDocumnt'\. Did you mean 'verifyDocument'\?/],
    [[...at(url), '--port', '3'], /The flag '--port' is unknown/],
    [[...at(url), '--allow-writes=false'], /--allow-writes takes no value/],
    [['verify', '--target', url, '--token', 'Bearer', 'abc'], /^(?!.*abc).*Too many arguments for 'verify'/s],
    [['verify', '--target', url, '--token', 'Bearer abc'], /^(?!.*abc).*without 'Bearer'/s],
    [[...at(url), '--header', 'X-Key=secret'], /^(?!.*secret).*must be 'Name: value'/s],
    [[...at(url), '--header', 'Authorization: Bearer secret'], /^(?!.*secret).*'Authorization': the calls set it/s],
    [[...at(url), '--retries', 'many'], /--retries must be a whole number from 0 to 20, not 'many'/],
    [[...at(url), '--against', 'x.yaml'], /The flag '--against' is unknown\./],
    [[...at(url), '--record', 'x.yaml'], /The flag '--record' is unknown\./],
  ] as const)
    t.match(await run(t, argv), { code: 2, err }, `${argv.join(' ')}: wrong use`)
})

t.test('a provider that takes calls without a token is this API, and departs from SA.4', async (t) => {
  const mock = await countersign(t)
  for (const body of [{}, { status: 'success' }]) {
    const answer = { status: 200, body, offContract: true }
    const rules = [{ on: 'listCreditHistories' as const, when: { token: { absent: true } }, answer }]
    await mock.scenarios.define('open', { rules, active: true })
    t.match(await verify(t, mock.url), { code: 1, text: /✗ SA\.4/ }, `${JSON.stringify(body)}: it is drift`)
  }
})
