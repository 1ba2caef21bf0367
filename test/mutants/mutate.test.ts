import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { listCreditHistories } from '../../schemas/index.js'
import { statements } from '../../schemas/statements.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { CLI, folder, launch, until } from '../binary.js'
import { run } from '../command-line.js'
import { build, type Changes, send } from '../helper.js'

interface Findings {
  readonly seed: string
  readonly durations: object
  readonly mutants: readonly Finding[]
}
interface Finding extends Record<'id' | 'kind' | 'outcome' | 'place' | 'operator' | 'rule' | 'force', string> {
  readonly state: 'noticed' | 'unnoticed'
}

const SUITE = fileURLToPath(new URL('suite.sh', import.meta.url))

async function mutate(t: Test, args: readonly string[], words: readonly string[], cwd = folder(t)) {
  const command = ['mutate', ...args, '--json', 'findings.json', '--', 'sh', SUITE, ...words]
  const { code, out, err } = await run(t, command, { cwd })
  const findings = (): Findings => JSON.parse(readFileSync(join(cwd, 'findings.json'), 'utf8'))
  return { code, out, err, findings, cwd }
}

const count = ({ mutants }: Findings, state: string) => mutants.filter((one) => one.state === state).length

function isAsserted({ place, operator }: Finding): boolean {
  return place === 'total' || /^(status|despite)-|^without-effect$/.test(operator)
}

t.test('a suite notices the mutants of values that it asserts, and no others', async (t) => {
  const words = ['invite', 'status', 'total', 'mail']
  const { code, out, err, findings } = await mutate(t, ['--count', '36', '--jobs', '2'], words)
  t.equal(code, 0, err)
  const rules = new Set<unknown>(statements.map(({ id, text }) => `${id}: ${text}`))
  const all = findings()
  for (const one of all.mutants) {
    t.equal(one.state, isAsserted(one) ? 'noticed' : 'unnoticed', one.id)
    t.equal(one.id, `${one.outcome}/${one.place}/${one.operator}`, 'the id has outcome, place and operator')
    if (one.state === 'unnoticed') t.match(out, one.force, `${one.id}: a line to reproduce it`)
    t.ok(rules.has(one.rule), `${one.id} quotes the API document`)
  }
  const noticedValues = all.mutants.filter(({ kind, place }) => kind === 'values' && place === 'total').length
  for (const state of ['noticed', 'unnoticed']) t.ok(count(all, state) > 5, `some are ${state}`)
  const kinds = `2 of 2 effects, \\d of \\d order and pages, 6 of 6 statuses, ${noticedValues} of \\d+ values`
  t.match(out, new RegExp(`^${count(all, 'noticed')} of 36 mutants noticed \\(.* %\\): ${kinds}\\.`, 'm'))
})

t.test('the same seed selects the same mutants and gives the same report; another seed selects others', async (t) => {
  const one = await mutate(t, ['--count', '4', '--jobs', '2'], ['total'])
  const same = await mutate(t, ['--count', '4'], ['total'])
  const other = await mutate(t, ['--count', '4', '--seed', 'other'], ['total'])
  t.equal(one.out, same.out)
  t.strictSame({ ...one.findings(), durations: 0 }, { ...same.findings(), durations: 0 })
  t.equal(other.findings().seed, 'other')
  const idsOf = ({ mutants }: Findings) => mutants.map(({ id }) => id)
  t.strictNotSame(idsOf(other.findings()), idsOf(one.findings()))
})

t.test('a suite that fails without mutants, alone or in parallel, is rejected', async (t) => {
  for (const [words, err, jobs] of [
    ['red', /The command fails without any mutant\. [^\n]* exited with status 3\.\n\none test fails/, '1'],
    ['killed', 'The command was terminated by SIGKILL', '1'],
    ['collides', 'The command succeeds alone and fails when 2 run at once: the runs probably share', '2'],
  ] as const)
    t.match(await mutate(t, ['--jobs', jobs], [words]), { code: 2, err }, words)
})

t.test('a suite that sometimes fails without mutants is reported', async (t) => {
  const { code, out, findings } = await mutate(t, ['--count', '3'], ['flaky'])
  t.match({ code, out }, { code: 0, out: /^The command sometimes fails without a mutant \(failed control runs: 1/m })
  t.equal(count(findings(), 'unnoticed'), 3, 'mutants that it seemed to notice are run again')
  t.match(await mutate(t, ['--count', '3'], ['breaks']), { code: 2, err: /The command now fails without any mutant/ })
})

t.test('if --minutes ends the run, a gate is not judged, and does not pass', async (t) => {
  const command = ['--', 'sh', '-c', 'sleep 0.3; sh "$0" total', SUITE]
  const { code, out } = await run(t, ['mutate', '--count', '300', '--minutes', '0.1', '--min-noticed', '1', ...command])
  t.match(
    { code, out },
    { code: 1, out: /^--minutes 0\.1 ended the run after \d+ of \d+ mutants; no gate was judged\.$/m },
  )
})

t.test('accepted unnoticed mutants do not fail the gate', async (t) => {
  const { cwd } = await mutate(t, ['--count', '4', '--write-accepted', 'a.json'], [])
  const gated = ['--count', '4', '--fail-on', 'unnoticed', '--accept', 'a.json']
  t.match(await mutate(t, gated, [], cwd), { code: 0, out: /^Unnoticed, and listed in the --accept file: 4\.$/m })
  t.match(await mutate(t, ['--seed', 'other', ...gated], [], cwd), { code: 1, err: /✗ unnoticed / }, 'others fail')
  writeFileSync(join(cwd, 'a.json'), '{ "version": 1, "accepted": ["listCreditHistories:200/totl/null"] }')
  t.match(await mutate(t, gated, [], cwd), { code: 2, err: /a\.json:1:\d+: There is no mutant/ })
})

t.test('a mutant that makes the suite hang counts as noticed after a timeout', async (t) => {
  const { findings } = await mutate(t, ['--count', '6', '--seed', '19', '--jobs', '2'], ['hangs'])
  const { mutants } = findings()
  const findMutant = (id: string) => mutants.find((one) => one.id === id)
  t.match(findMutant('listCreditHistories:200/total/one-more'), { state: 'noticed', timeout: true })
  t.match(findMutant('listCreditHistories:200/total/left-out'), { state: 'unnoticed' })
})

t.test('each run gets the id of its mutant, but no variables for reports to GitHub', async (t) => {
  const github = ['STEP_SUMMARY', 'OUTPUT', 'ENV', 'PATH', 'ACTIONS'].map((name) => `GITHUB_${name}`)
  const env = { ...Object.fromEntries(github.map((name) => [name, 'set'])), GITHUB_SHA: 'kept' }
  const cwd = folder(t)
  const script = `echo "[$COUNTERSIGN_MUTANT]$${github.join('$')}$GITHUB_SHA" >> runs; "$0" "$1" version >> runs 2>&1; sh "$2"`
  const command = ['sh', '-c', script, process.execPath, CLI, SUITE]
  await run(t, ['mutate', '--count', '1', '--json', 'm.json', '--', ...command], { cwd, env })
  const [{ id }] = JSON.parse(readFileSync(join(cwd, 'm.json'), 'utf8')).mutants
  const runs = readFileSync(join(cwd, 'runs'), 'utf8').split('\n')
  t.same(
    runs.filter((line) => line.startsWith('[')),
    ['[]kept', '[]kept', `[${id}]kept`, '[]kept'],
  )
  t.notMatch(runs.join('\n'), /unknown/, 'countersign accepts the variable')
})

t.test('a signal ends the run and prints results so far; progress is printed without a terminal', async (t) => {
  const endAfter = async (signal: NodeJS.Signals, reported: RegExp) => {
    // Slow, so that it still runs when the signal arrives.
    const args = ['mutate', '--count', '300', '--', 'sh', '-c', 'sleep 0.3; sh "$0" total', SUITE]
    const running = launch(t, process.execPath, [CLI, ...args])
    await until(() => reported.test(running.err()))
    running.child.kill(signal)
    return running.ended
  }
  const [interrupted, terminated] = await Promise.all([
    endAfter('SIGINT', /; trying/),
    endAfter('SIGTERM', /^\d+\.\d s: \d+ of \d+: \d+ noticed, \d+ unnoticed, \d+\.\d s left$/m),
  ])
  t.match(interrupted, { code: 130, out: /mutants noticed|No mutant was tried/ })
  t.match(terminated, { code: 143, out: /mutants noticed/ })
})

const prefer = (...asked: string[]) => ({ headers: { prefer: asked.join(', ') } })

const timeless = (body: string) => body.replaceAll(/~w-\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')

for (const contract of contracts as readonly Contract[]) {
  t.test(`every mutant of ${contract.id} alters its answer, or its effect alone`, async (t) => {
    const server = await build(t)
    const all: { mutant: string }[] = JSON.parse((await run(t, ['list', 'mutants', '--json'])).out)
    let nth = 0
    // Every part of the second page of an ordered list can be altered.
    const changes: Changes = contract === listCreditHistories ? { query: { page: '2', order: 'asc' } } : {}
    const call = (...asked: string[]) =>
      send(server, contract, { ...changes, ...(asked.length > 0 && prefer(...asked)), sandbox: `w-${nth++}` })
    const ids = all.map(({ mutant }) => mutant).filter((id) => id.startsWith(`${contract.id}:`))
    t.ok(ids.length > 10, 'it has mutants')
    for (const id of ids) {
      const [, status, operator] = /:(\d+)\/.*\/(.+)$/.exec(id) ?? []
      const forced = status === '200' ? [] : [`code=${status}`]
      const original = await call(...forced)
      const altered = await call(...forced, `mutant=${id}`)
      if (operator === 'without-effect')
        t.equal(timeless(altered.body), timeless(original.body), `${id}: the answer is unchanged`)
      else if (operator === 'unnamed') t.notMatch(altered.json().error.message, /'/, id)
      else t.strictNotSame([altered.statusCode, altered.body], [original.statusCode, original.body], id)
      t.equal(altered.headers['x-mock-outcome'], `${contract.id}:${altered.statusCode}`, `${id}: the outcome`)
    }
  })
}
