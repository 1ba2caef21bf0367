import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

type History = Readonly<Record<'id' | 'type' | 'created_at' | 'user_type' | 'currency', string>>

/** The credit histories of a folder of fixtures. */
const historiesIn = (folder: string): History[] =>
  JSON.parse(readFileSync(join(folder, 'credit_histories.json'), 'utf8')).credit_histories

t.test('seed writes the same bytes for the same seed, and what it writes is served', async (t) => {
  const cwd = folder(t)
  const bytes = (name: string) =>
    readdirSync(join(cwd, name)).map((file) => [file, readFileSync(join(cwd, name, file), 'utf8')])
  const counts = '--until 2026-06-30 --credits 50 --attachments 5 --members 5 --sub-members 5 --documents 5'
  for (const line of ['--out a --seed 7', '--out b --seed 7', '--out c --seed 8']) {
    const ended = await run(t, `seed ${line} ${counts}`.split(' '), { cwd })
    t.match(ended, { code: 0, out: /To serve it: countersign --fixtures \w\n/ }, line)
  }
  t.same(bytes('a'), bytes('b'), 'the same seed gives the same bytes')
  t.not(JSON.stringify(bytes('a')), JSON.stringify(bytes('c')), 'another seed gives others')
  const known = new Set(historiesIn('fixtures').map(({ id }) => id))
  const histories = historiesIn(join(cwd, 'a')).filter(({ id }) => !known.has(id))
  const valuesOf = (name: keyof History) => [...new Set(histories.map((one) => one[name]))].sort()
  t.same(valuesOf('type'), ['allocation', 'free_credit', 'purchase', 'return'], 'every documented type comes')
  t.same(valuesOf('user_type'), ['ENTERPRISE', 'ENTERPRISE_API'], 'with both user types')
  t.same(valuesOf('currency'), ['CHF', 'EUR', 'GBP', 'USD'], 'with several currencies')
  const last = Math.max(...valuesOf('created_at').map(Date.parse))
  t.ok(last < Date.parse('2026-07-01'), 'nothing is later than the day that is given')
  t.ok(last > Date.parse('2026-06-01'), 'there are records of the last thirty days before it')
  const valid = { code: 0, out: 'No problems found' }
  t.match(await run(t, ['validate', '--fixtures', 'a'], { cwd }), valid, 'what it writes is valid')
  await run(t, ['seed', '--out', 'today', '--credits', '50'], { cwd })
  const month = Date.now() - 30 * 24 * 3_600_000
  const recent = historiesIn(join(cwd, 'today')).filter((one) => Date.parse(one.created_at) > month)
  t.ok(recent.length > 3, 'without a day, there are records of the last thirty days')
})

t.test('records that nothing in the fixtures could have are refused before anything is written', async (t) => {
  const cwd = folder(t, { 'none.json': '{ "version": 1 }' })
  for (const count of 'credits attachments members sub-members documents'.split(' ')) {
    const ended = await run(t, ['seed', '--out', 'new', '--fixtures', 'none.json', `--${count}`, '3'], { cwd })
    t.match(ended, { code: 1, err: `--${count} needs ` }, count)
  }
  t.same(readdirSync(cwd), ['none.json'], 'nothing is left behind')
})
