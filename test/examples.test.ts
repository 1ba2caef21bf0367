import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { outcomeIds } from '../schemas/scenario.js'
import { startMockServer } from '../src/index.js'
import { launch, run as runBinary, UNHOOKED } from './binary.js'
import { run } from './command-line.js'

/** The project's folder, where all of this works. */
const cwd = fileURLToPath(new URL('..', import.meta.url))

t.test('the node:test example passes', async (t) => {
  const example = ['--test', 'examples/node-test/members.test.mjs']
  const { code, out, err } = await launch(t, process.execPath, example, { cwd }).ended
  t.equal(code, 0, 'the example ends well', { out, err })
})

t.test("the README's example in process runs as it is written", async (t) => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(await readFile(join(cwd, 'README.md'), 'utf8')) ?? []
  t.match(example, 'startMockServer', 'there is an example')
  const arguments_ = ['--input-type=module', '--eval', example]
  const { code, out, err } = await launch(t, process.execPath, arguments_, { cwd }).ended
  t.equal(code, 0, 'the example ends well', { out, err })
})

t.test('the commands of "When the real service is reachable" run as they are written', async (t) => {
  const readme = await readFile(join(cwd, 'README.md'), 'utf8')
  const [, chapter = ''] = /\n## When the real service is reachable\n([\s\S]*?)\n## /.exec(readme) ?? []
  const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? []
  const [, data = ''] = /```yaml\n([\s\S]*?)```/.exec(chapter) ?? []
  const service = await startMockServer({ port: 0, interpretations: { errorBody: 'flat', unknownSort: 'ignore' } })
  t.teardown(() => service.close())
  const folder = t.testdir({ 'data.yaml': data, 'known.pdf': await readFile(join(cwd, 'fixtures/files/verified.pdf')) })
  const lines = commands.trim().split('\n')
  t.ok(lines.length >= 4, 'there are commands')
  for (const line of lines) {
    const [, ...args] = line
      .replace('https://signing.example.test/base', service.url)
      .replace('"$TOKEN"', 'token-admin')
      .split(/\s+/)
    const { code, out, err } = await run(t, args, { cwd: folder })
    t.equal(code, 0, line, { out, err })
  }
  // The example names documents that no default world has.
  const named = await run(
    t,
    [
      'verify',
      '--target',
      service.url,
      '--token',
      'token-admin',
      '--data',
      'data.yaml',
      '--only',
      'listCreditHistories',
    ],
    { cwd: folder },
  )
  t.equal(named.code, 0, 'the example of --data is one', { out: named.out, err: named.err })
})

t.test('the sample suite passes under exec with the gates on', async (t) => {
  const gates = [
    '--fail-on',
    'violations,unmatched,deviations',
    '--require',
    'createSigningLink:500,searchProtectedAttachments:404',
    '--min-coverage',
    // What the suite meets: two searches, two links and a list of credits.
    `${Math.floor((100 * 5) / outcomeIds.length)}`,
  ]
  const suite = [process.execPath, '--test', 'examples/exec/suite.test.mjs']
  const { code, out, err } = await runBinary(t, ['exec', ...gates, '--', ...suite], { cwd })
  t.equal(code, 0, 'the suite keeps every gate', { out, err })
})

const breaks: readonly (readonly [gate: readonly string[], script: string, says: RegExp])[] = [
  [['--fail-on', 'violations'], 'breaks-violations.mjs', /not-multipart[\s\S]*FormData/],
  [['--fail-on', 'unmatched'], 'breaks-unmatched.mjs', /GET \/api\/v2\/credit\/histories/],
  [['--fail-on', 'unused', '--scenario', 'flaky-network'], 'breaks-unmatched.mjs', /flaky-network#1/],
  [['--require', 'addOrganizationMember:409'], 'breaks-unmatched.mjs', /addOrganizationMember:409 was never met/],
  [['--min-coverage', '50'], 'breaks-unmatched.mjs', /50 % are required/],
]

t.test('a client that breaks a gate fails, and is told how to fix it', async (t) => {
  for (const [gate, script, says] of breaks) {
    const client = [...UNHOOKED, process.execPath, `examples/exec/${script}`]
    const { code, err } = await run(t, ['exec', ...gate, '--', ...client], { cwd })
    t.equal(code, 1, `${gate.join(' ')} fails`)
    t.match(err, says, `${gate.join(' ')} says how to fix it`)
  }
})
