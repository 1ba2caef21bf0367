import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

t.test('seed writes the same bytes for the same seed, and what it writes is served', async (t) => {
  const cwd = folder(t)
  const bytes = (name: string) =>
    readdirSync(join(cwd, name)).map((file) => [file, readFileSync(join(cwd, name, file), 'utf8')])
  const counts = ['--credits', '50', '--attachments', '5', '--members', '5', '--sub-members', '5', '--documents', '5']
  for (const [out, seed] of [
    ['a', '7'],
    ['b', '7'],
    ['c', '8'],
  ] as const)
    t.match(
      await run(t, ['seed', '--out', out, '--seed', seed, '--until', '2026-06-30', ...counts], { cwd }),
      { code: 0, out: /To serve it: countersign --fixtures \w\n/ },
      `the folder ${out} is written`,
    )
  t.same(bytes('a'), bytes('b'), 'the same seed gives the same bytes')
  t.not(JSON.stringify(bytes('a')), JSON.stringify(bytes('c')), 'another seed gives others')
  const written = JSON.parse(readFileSync(join(cwd, 'a', 'credit_histories.json'), 'utf8'))
  const known = new Set(
    JSON.parse(read('../../fixtures/credit_histories.json')).credit_histories.map(({ id }: { id: string }) => id),
  )
  const credit_histories = written.credit_histories.filter(({ id }: { id: string }) => !known.has(id))
  const valuesOf = (name: string) =>
    [...new Set(credit_histories.map((one: Record<string, string>) => one[name]))].sort()
  t.same(valuesOf('type'), ['allocation', 'free_credit', 'purchase', 'return'], 'every documented type comes')
  const times = valuesOf('created_at').map((one) => Date.parse(String(one)))
  t.ok(Math.max(...times) < Date.parse('2026-07-01'), 'nothing is later than the day that is given')
  t.ok(Math.max(...times) > Date.parse('2026-06-01'), 'there are records of the last thirty days before it')
  t.same(valuesOf('user_type'), ['ENTERPRISE', 'ENTERPRISE_API'], 'with both user types')
  t.same(valuesOf('currency'), ['CHF', 'EUR', 'GBP', 'USD'], 'with several currencies')
  t.match(await run(t, ['validate', '--fixtures', 'a'], { cwd }), { code: 0, out: 'No problems found' }, 'it is valid')
  await run(t, ['seed', '--out', 'today', '--credits', '50'], { cwd })
  const recent = readFileSync(join(cwd, 'today', 'credit_histories.json'), 'utf8')
  const month = Date.now() - 30 * 24 * 3_600_000
  t.ok(
    [...recent.matchAll(/"created_at":"([^"]+)"/g)].filter(([, at]) => Date.parse(at as string) > month).length > 3,
    'without a day, there are records of the last thirty days',
  )
  for (const day of ['yesterday', '2025-02-30', '2025-6-1', '2025-06-30T12:00', ''])
    t.match(
      await run(t, ['seed', '--out', 'never', `--until=${day}`], { cwd }),
      { code: 1, err: /--until (must be a day such as 2026-01-15|needs a value)/ },
      `--until=${day} is refused`,
    )
  t.match(
    await run(t, ['seed', '--out', 'a'], { cwd }),
    { code: 1, err: /a is not empty, so it was left untouched/ },
    'a folder in use is left alone',
  )
})

t.test('seed takes what the environment says, and flags before it', async (t) => {
  const cwd = folder(t, { 'own.json': '{ "extends": "default" }' })
  const made = async (out: string, args: string, env = {}) => {
    const line = `seed --out ${out} --credits 20 --until 2026-06-30 ${args}`
    t.match(await run(t, line.trim().split(' '), { cwd, env }), { code: 0 })
    return readFileSync(join(cwd, out, 'credit_histories.json'), 'utf8')
  }
  const seven = await made('flag', '--seed 7')
  t.equal(await made('variable', '', { COUNTERSIGN_SEED: '7' }), seven, 'the variable is read')
  t.equal(await made('both', '--seed 7', { COUNTERSIGN_SEED: '8' }), seven, 'a flag comes first')
  const refused = (env: Record<string, string>) => run(t, ['seed', '--out', 'never'], { cwd, env })
  t.match(await refused({ COUNTERSIGN_FIXTURES: 'none.json' }), { code: 1, err: /none\.json: / }, 'fixtures too')
  t.match(await refused({ COUNTERSIGN_SEDE: '7' }), {
    code: 1,
    err: /COUNTERSIGN_SEDE is unknown\. Did you mean COUNTERSIGN_SEED/,
  })
})
