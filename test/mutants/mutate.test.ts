import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { statements } from '../../schemas/statements.js'
import type { Finding, Findings } from '../../src/coverage/mutants/findings.js'
import { CLI, folder, isRunning, launch, until } from '../binary.js'
import { run } from '../command-line.js'

const SUITE = fileURLToPath(new URL('suite.sh', import.meta.url))

/** Measures the suite that looks at some things. */
async function mutate(t: Test, args: readonly string[], looks: readonly string[], cwd = folder(t)) {
  const command = ['mutate', ...args, '--json', 'findings.json', '--', 'sh', SUITE, ...looks]
  const { code, out, err } = await run(t, command, { cwd })
  const findings = (): Findings => JSON.parse(readFileSync(join(cwd, 'findings.json'), 'utf8'))
  return { code, out, err, findings, cwd }
}

const named = ({ mutants }: Findings, id: string) => mutants.find((one) => one.id === id) as Finding
const count = ({ mutants }: Findings, state: string) => mutants.filter((one) => one.state === state).length

/** Whether a mutant alters what the suite looks at: the statuses, the total and the mail. */
function isLookedAt({ place, operator }: Finding): boolean {
  return place === 'total' || /^(status|despite)-|^without-effect$/.test(operator)
}

t.test('what a suite looks at is noticed, all else is not', async (t) => {
  const looks = ['invite', 'status', 'total', 'mail']
  const { code, out, err, findings } = await mutate(t, ['--count', '36', '--jobs', '2'], looks)
  t.equal(code, 0, err)
  t.match(err, /^The suite is green, \d+\.\d s a run\. What it met makes \d+ mutants; 36 are tried \(seed '1'\)\.$/m)
  const rules = new Set<unknown>(statements.map(({ id, text }) => `${id}: ${text}`))
  const all = findings()
  for (const one of all.mutants) {
    t.equal(one.state, isLookedAt(one) ? 'noticed' : 'unnoticed', one.id)
    t.equal(one.id, `${one.outcome}/${one.place}/${one.operator}`, 'the id says what it is')
    if (one.state === 'unnoticed') t.match(out, one.force, `${one.id}: the line to see it by hand`)
    t.ok(rules.has(one.rule), `${one.id} quotes the document`)
  }
  for (const state of ['noticed', 'unnoticed']) t.ok(count(all, state) > 5, `some are ${state}`)
  const effect = all.mutants.find(({ operator }) => operator === 'without-effect')
  t.match(effect, {
    operation: 'addOrganizationMember',
    outcome: 'addOrganizationMember:200',
    place: 'effect',
    cites: ['S6.6'],
    due: 'it takes place',
    got: 'nothing changes',
    force: 'Prefer: mutant=addOrganizationMember:200/effect/without-effect',
  })
  t.match(out, new RegExp(`^${count(all, 'noticed')} of 36 mutants noticed`, 'm'))
})

t.test('the same seed draws the same mutants with the same report, another seed others', async (t) => {
  const one = await mutate(t, ['--count', '4', '--jobs', '2'], ['total'])
  const same = await mutate(t, ['--count', '4'], ['total'])
  const other = await mutate(t, ['--count', '4', '--seed', 'other'], ['total'])
  t.equal(one.out, same.out)
  t.strictSame({ ...one.findings(), durations: 0 }, { ...same.findings(), durations: 0 })
  t.equal(other.findings().seed, 'other')
  const idsOf = ({ mutants }: Findings) => mutants.map(({ id }) => id)
  t.strictNotSame(idsOf(other.findings()), idsOf(one.findings()))
})

t.test('operations are tried in turn, and --only leaves others out', async (t) => {
  const operationsOf = ({ mutants }: Findings) => [...new Set(mutants.map(({ operation }) => operation))]
  const both = await mutate(t, ['--count', '2'], ['invite'])
  t.equal(operationsOf(both.findings()).length, 2)
  const only = await mutate(t, ['--count', '3', '--only', 'addOrganizationMember'], ['invite'])
  t.same(operationsOf(only.findings()), ['addOrganizationMember'])
})

t.test('gates: what is unnoticed, how much is noticed, and what was noticed before', async (t) => {
  const few = ['--count', '3', '--only', 'addOrganizationMember', '--fail-on', 'unnoticed', '--min-noticed']
  const strong = await mutate(t, [...few, '100'], ['invite', 'status', 'mail'])
  const noticed = strong.findings().mutants.filter(({ state }) => state === 'noticed')
  t.ok(noticed.length > 0)
  const before = join(strong.cwd, 'findings.json')
  const args = [...few, '1', '--baseline', before, '--junit', 'j.xml', '--summary', 's.md']
  const { code, err, cwd } = await mutate(t, args, ['invite'])
  t.equal(code, 1)
  for (const { id } of noticed) t.match(err, `✗ baseline  addOrganizationMember: ${id}`)
  t.match(err, /✗ unnoticed {2}addOrganizationMember: addOrganizationMember:200\//)
  t.match(err, '0.0 % of the mutants were noticed; 1 % are required.')
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), /tests="3" failures="3"/)
  t.match(readFileSync(join(cwd, 's.md'), 'utf8'), '| addOrganizationMember | **0** | 3 | **0** |')
})

t.test('the config file takes a mutant out, with the reason', async (t) => {
  const config = (except: string) => ({ 'countersign.config.yaml': `mutate: { except: [${except}] }\n` })
  const id = 'listCreditHistories:200/total/one-more'
  const cwd = folder(t, config(`{ mutant: '${id}', why: 'Nobody shows it.' }`))
  const made = ({ err }: { err: string }) => Number(/makes (\d+) mutants/.exec(err)?.[1])
  const { out, err, findings } = await mutate(t, ['--count', '1'], [], cwd)
  t.equal(made({ err }), made(await mutate(t, ['--count', '1'], [])) - 1)
  t.strictSame(findings().excepted, [{ mutant: id, why: 'Nobody shows it.' }])
  t.match(out, `${id}: Nobody shows it.`)
  for (const [except, says] of [
    [`{ mutant: '${id}' }`, 'why'],
    ["{ mutant: 'x', why: 'y' }", "mutate.except in the config file names no mutant: 'x'."],
  ] as const) {
    const ended = await mutate(t, [], [], folder(t, config(except)))
    t.match(ended, { code: 2, err: says }, except)
  }
})

t.test('a suite that cannot be measured is refused', async (t) => {
  const red =
    /The command fails without any mutant\. Mend it first\. The command exited with status 3\.\n\none test fails/
  for (const [looks, err, jobs] of [
    ['red', red, '1'],
    ['idle', 'The command called no operation.', '1'],
    ['killed', 'The command was terminated by SIGKILL', '1'],
    ['differs', 'only one of two runs met listCreditHistories:401', '1'],
    ['collides', 'The command succeeds alone and fails where 2 run at once: they collide', '2'],
  ] as const)
    t.match(await mutate(t, ['--jobs', jobs], [looks]), { code: 2, err }, looks)
})

t.test('a wrong command line is refused before anything runs', async (t) => {
  for (const [line, err] of [
    ['--count 0', "--count must be a whole number from 1, not '0'."],
    ['--count 1.5', "--count must be a whole number from 1, not '1.5'."],
    ['--jobs x', "--jobs must be a whole number from 1, not 'x'."],
    ['--minutes 0', "--minutes must be a number above 0, such as 2.5, not '0'."],
    ['--min-noticed 101', "--min-noticed must be a percentage from 0 to 100, not '101'."],
    ['--fail-on x', "--fail-on does not take 'x'. Allowed: unnoticed."],
    ['--only addMember', "'addMember'"],
    ['--baseline none.json', "--baseline 'none.json' is not a file"],
    ['--junit /', 'The file cannot be written: it is a folder.'],
    ['--provider http://127.0.0.1:9', "The flag '--provider' is unknown."],
  ] as const)
    t.match(await mutate(t, line.split(' '), ['total']), { code: 2, err }, line)
  const unknown = { code: 2, err: "'no-such-command' cannot be run: the command does not exist." }
  t.match(await run(t, ['mutate', '--', 'no-such-command']), unknown)
  t.match(await run(t, ['mutate', 'npm', 'test']), { err: 'Put the command to run after --' })
})

t.test('a mutant that hangs the suite is noticed in time', async (t) => {
  const { findings } = await mutate(t, ['--count', '6', '--seed', '10', '--jobs', '2'], ['hangs'])
  const found = named(findings(), 'listCreditHistories:200/total/one-more')
  t.match(found, { state: 'noticed', timeout: true })
  t.equal(named(findings(), 'listCreditHistories:200/total/left-out').state, 'unnoticed')
})

t.test('a child that a run leaves behind ends with it', async (t) => {
  const { code, err, cwd } = await mutate(t, ['--count', '1'], ['leaves'])
  t.equal(code, 0, err)
  await until(() => !isRunning(Number(readFileSync(join(cwd, 'left'), 'utf8'))))
})

t.test('exec runs one mutant, for a debugger', async (t) => {
  const exec = (mutant: string) => run(t, ['exec', '--', 'sh', SUITE, 'total'], { env: { COUNTERSIGN_MUTANT: mutant } })
  t.equal((await exec('listCreditHistories:200/total/one-more')).code, 1)
  t.equal((await exec('listCreditHistories:200/page/null')).code, 0)
  t.match(await exec('x'), { code: 1, err: /COUNTERSIGN_MUTANT names no mutant: 'x'/ })
})

t.test('Ctrl-C ends the children, and prints what is known', async (t) => {
  const args = ['mutate', '--count', '300', '--', 'sh', SUITE, 'total']
  const running = launch(t, process.execPath, [CLI, ...args])
  await until(() => /are tried/.test(running.err()))
  await new Promise((later) => setTimeout(later, 1_000))
  running.child.kill('SIGINT')
  t.match(await running.ended, { code: 130, out: /mutants noticed|No mutant was tried/ })
})
