import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { answering, provider, stub, TOKEN } from './stub.js'

const commandsIn = (text: string) => text.split('\n').filter((line) => line.trimStart().startsWith('::'))

const kindsOf = (commands: string[]) => [...new Set(commands.map((line) => line.split('=')[0]))]

/** Verifies a target as a step of GitHub Actions does, after another command of the step. */
async function verify(t: Parameters<typeof folder>[0], target: string, ...flags: string[]) {
  const cwd = folder(t, { 'step.md': 'Earlier.\n' })
  const file = join(cwd, 'step.md')
  const place = { cwd, env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file } }
  const words = ['verify', '--target', target, '--token', TOKEN, '--retries', '0', ...flags]
  const { code, out, err } = await run(t, words, place)
  return { code, out, err, commands: commandsIn(out), summary: readFileSync(file, 'utf8') }
}

t.test('each drift is an error, and what differs from a reading a warning, unless it counts', async (t) => {
  const mock = await provider(t, { interpretations: { errorBody: 'flat' } })
  const differs = await verify(t, mock.url)
  const warning = /^::warning title=differs%3A \w+ \(I-02\)::.+%0AI-02: Error body: /
  t.match(differs, { code: 0, commands: [warning] }, 'a reading fails nothing, and is a warning')
  t.strictSame(kindsOf(differs.commands), ['::warning title'], 'there is no error')
  t.match(differs.out, /differing from a reading\.[^\n]*\n::warning /, 'it follows the report')
  t.match(differs.summary, /^Earlier\.\n\n## countersign verify: `http:.+`\n\n✅/, 'the step’s summary has it, too')

  const strict = await verify(t, mock.url, '--strict', '--summary', 'step.md')
  const error = /^::error title=differs%3A \w+ \(I-02\)::/
  t.match(strict, { code: 1, commands: [error] }, 'with --strict it fails, and is an error')
  t.match(strict.summary, /^Earlier\.\n\n## countersign verify/, 'what others wrote stays')
  t.equal(strict.summary.match(/## countersign verify/g)?.length, 1, 'and the summary is there once')

  await mock.scenarios.activate('searchProtectedAttachments:500')
  const drift = await verify(t, mock.url)
  t.equal(drift.code, 1, 'drift fails')
  t.match(drift.commands[0], /^::error title=drift%3A searchProtectedAttachments \(S.+\)::.*500, not \d+/)
  t.match(drift.commands[9], /… and \d+ more; see the log\.$/, 'the last says how many more there are')
})

t.test('what a provider says begins no line, and is no markup', async (t) => {
  const name = '\n::error::`x` |\u001b[2J@octocat'
  const body = JSON.stringify({ page: 1, per_page: 10, total: name, histories: [{ [name]: name }] })
  const { out, summary } = await verify(t, await stub(t, answering(200, body)), '--only', 'listCreditHistories')
  t.strictSame(kindsOf(commandsIn(out)), ['::error title'], 'every command is one of ours')
  t.notMatch(out + summary, '\u001b', 'nothing moves the cursor')
  t.notMatch(summary.replaceAll(/`[^`\n]*`/g, ''), /`|@octocat/, 'nothing is markup, nobody is mentioned')
})

t.test('a provider that cannot be judged is an error; a summary that cannot be written is not', async (t) => {
  const { code, commands } = await verify(t, await stub(t, answering(503, {})))
  t.match({ code, commands }, { code: 3, commands: [/^::error title=unavailable::/] })
  const cwd = folder(t, { 'full.md': '' })
  writeFileSync(join(cwd, 'full.md'), 'x'.repeat(1024 * 1024))
  const mock = await provider(t)
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'full.md') }
  const words = ['verify', '--target', mock.url, '--token', TOKEN]
  const err = /^countersign: full\.md: The step summary was left as it is/
  const full = await run(t, words, { cwd, env })
  t.match(full, { code: 0, err, out: /\n::warning file=full\.md,/ }, 'a full one is told')
  t.match(await run(t, [...words, '--summary', 'full.md'], { cwd, env }), { code: 2 }, 'asked for, it fails')
})
