import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contracts, type OperationId } from '../../schemas/contracts.js'
import { statements } from '../../schemas/statements.js'
import { isReadOnly } from '../../src/engine/contract/contract.js'
import { run } from '../command-line.js'
import { countersign, TOKEN, verify } from '../forward/provider.js'

const writes = contracts.filter((contract) => !isReadOnly(contract)).map(({ id }) => id)
const shownStatements = statements.filter((one) => !('notShown' in one)).map(({ id }) => id)
const UNCHECKABLE = ['S1.8', 'S6.6', 'S6.8', 'SE.6']

interface Report {
  readonly statements: readonly { readonly id: string; readonly state: string }[]
  readonly summary: object
}

t.test('verify passes for a countersign server, and writes nothing without --allow-writes', async (t) => {
  const mock = await countersign(t)
  const before = await mock.state.get()
  const { code, text } = await verify(t, mock.url)
  t.equal(code, 0, 'it passes', { text })
  t.strictSame(await mock.state.get(), before, 'the state is unchanged')
  t.strictSame(await mock.outbox.messages(), [], 'no mail is sent')
  const written = (await mock.requests()).filter(({ operation }) => writes.some((one) => one === operation))
  t.strictSame([...new Set(written.map(({ status }) => `${status}`[0]))], ['4'], 'every write gets a 4xx')
})

t.test('with writes and a user without the permission, verify checks every statement that it can', async (t) => {
  const mock = await countersign(t)
  const members = JSON.stringify((await mock.state.get()).sub_organization_members)
  const file = join(t.testdir({}), 'reports/verify.json')
  const sandbox = await mock.sandbox('w')
  const all = ['--allow-writes', '--token-without-permission', 'token-member', '--strict', '--json', file]
  const { code, text } = await verify(t, `${sandbox.url}/`, ...all)
  t.equal(code, 0, 'it passes', { text })
  const { statements, summary }: Report = JSON.parse(readFileSync(file, 'utf8'))
  const idsOf = (some: Report['statements']) => some.map(({ id }) => id)
  t.strictSame(idsOf(statements), shownStatements, 'each statement once')
  const unchecked = idsOf(statements.filter(({ state }) => state !== 'ok'))
  t.strictSame(unchecked.sort(), UNCHECKABLE, 'all others are ok')
  t.match(summary, { ok: shownStatements.length - unchecked.length, drift: 0, differs: 0, unchecked: unchecked.length })
  t.strictSame(await mock.requests(), [], 'the root sandbox was not called')
  t.equal(JSON.stringify((await sandbox.state.get()).sub_organization_members), members, 'the member is unchanged')
  const strangers = (await sandbox.outbox.messages()).filter(({ to }) => !to.endsWith('@example.test'))
  t.strictSame(strangers, [], 'mails go only to example.test')
})

t.test('verify finds no drift for any user: after a 403 or unknown data, statements are unchecked', async (t) => {
  const mock = await countersign(t)
  for (const token of ['token-member', 'token-newcomer', 'token-other'])
    for (const [at, flags] of [[], ['--allow-writes']].entries()) {
      const { url } = await mock.sandbox(`${token}-${at}`)
      const { code, out } = await run(t, ['verify', '--target', url, '--token', token, ...flags])
      t.match({ code, out }, { code: 0, out: /: \d+ ok, 0 drift, 0 differ/ }, `${token} ${flags}`)
      if (token === 'token-member') t.match(out, /Answered with 403: the token's user may lack the permission\./)
    }
})

t.test('--min-checked counts only statements that the options allow to check', async (t) => {
  const { url } = await countersign(t)
  const check = (token: string, ...flags: string[]) => run(t, ['verify', '--target', url, '--token', token, ...flags])
  t.match(await check(TOKEN, '--min-checked', '100'), { code: 0 })
  const { code, out } = await check('token-newcomer', '--min-checked', '90')
  t.match({ code, out }, { code: 1, out: /^\d\d\.\d % of the \d+ statements .* were checked; 90 % are required\.$/m })
  t.match(await check(TOKEN, '--only', 'listCreditHistories', '--min-checked', '90'), { code: 0 })
})

t.test('--only selects operations, --header goes with every call, COUNTERSIGN_TOKEN can be the token', async (t) => {
  const mock = await countersign(t)
  const headers = ['--header', 'X-Tenant: blue', '--header', 'Accept-Language: da']
  const argv = ['verify', '--target', mock.url, '--only', 'listCreditHistories, verifyDocument', ...headers]
  const { code, out } = await run(t, argv, { env: { COUNTERSIGN_TOKEN: TOKEN } })
  t.equal(code, 0, 'it passes', { out })
  const requests = await mock.requests()
  const called = new Set(requests.map(({ operation }) => operation))
  t.strictSame([...called].sort(), ['listCreditHistories', 'verifyDocument'], 'only the chosen operations are called')
  for (const { request } of requests) t.match(request.headers, { 'x-tenant': 'blue', 'accept-language': 'da' })
  t.match(out, /S1\.2.* {2}No answer in this run proves or disproves it\./, 'the others are unchecked')
})

t.test('--data replaces the examples', async (t) => {
  const mock = await countersign(t)
  const folder = t.testdir({
    'data.yaml': `verifyDocument:
  form: { file: verified.pdf }
listCreditHistories:
  query: { page: 2, per_page: 4 }
updateSubOrganizationMember:
  params: { subOrgMemberId: 102 }
addOrganizationMember:
  member: li.jun@example.test
`,
    'verified.pdf': readFileSync('fixtures/files/verified.pdf'),
  })
  const { code, text } = await verify(t, mock.url, '--data', join(folder, 'data.yaml'), '--allow-writes')
  t.equal(code, 0, 'it passes', { text })
  const bodies = async (operation: OperationId, status: number) =>
    JSON.stringify((await mock.requests({ operation, status })).map(({ request }) => request.body))
  const verified = await bodies('verifyDocument', 200)
  t.match(verified, 'verified.pdf', 'the file is sent')
  t.notMatch(verified, 'DOC-2025', 'not the example')
  const urls = (await mock.requests()).map(({ url }) => url).join('\n')
  for (const part of ['page=2&per_page=4', '/members/102?']) t.match(urls, part, `${part} is called`)
  t.notMatch(urls, '/members/101?', 'not the example')
  t.match(await bodies('addOrganizationMember', 409), 'li.jun@example.test', 'the member is invited')
})

t.test('a wrong command line is reported, without showing a token', async (t) => {
  const url = 'http://127.0.0.1:1'
  const argsOf = (target: string) => ['verify', '--target', target, '--token', 'abc']
  for (const [argv, err] of [
    [argsOf('ftp://host'), /must be a base URL/],
    [argsOf('http://me:hidden@host'), /^(?!.*hidden).*without user, password and query/s],
    [[...argsOf(url), '--only', 'verifyDocumnt'], /'verifyDocumnt'\. Did you mean 'verifyDocument'\?/],
    [['verify', '--target', url, '--token', 'Bearer', 'abc'], /^(?!.*abc).*Too many arguments for 'verify'/s],
    [['verify', '--target', url, '--token', 'Bearer abc'], /^(?!.*abc).*without 'Bearer'/s],
    [[...argsOf(url), '--token-without-permission', 'abc'], /^(?!.*abc).*must be the token of another user/s],
    [[...argsOf(url), '--header', 'X-Key=secret'], /^(?!.*secret).*must be 'Name: value'/s],
    [[...argsOf(url), '--header', 'Authorization: Bearer secret'], /^(?!.*secret).*'Authorization': countersign sets/s],
  ] as const)
    t.match(await run(t, argv), { code: 2, err }, argv.join(' '))
})

t.test('all differences from one interpretation are one annotation', async (t) => {
  const mock = await countersign(t, { interpretations: { missingUserType: 401 } })
  const place = { env: { GITHUB_ACTIONS: 'true' } }
  const { out } = await run(t, ['verify', '--target', mock.url, '--token', TOKEN], place)
  const reported = (out.match(/^::warning .*/gm) ?? []).flatMap((line) => /I-\d+/.exec(line) ?? [])
  t.ok(reported.includes('I-04'), 'the difference is reported', { out })
  t.same(reported, [...new Set(reported)], 'it is reported once')
  t.match(out, /^::warning .*I-04.* \(and \d+ more differences from the same interpretation\)/m, 'with its count')
  t.match(out, '1 interpretation can be set to match the provider: see --write-interpretations', 'with the remedy')
})
