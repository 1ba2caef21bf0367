import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Fixtures } from '../../schemas/fixtures.js'
import { defaultFixtures } from '../../src/package-root.js'
import { sourceOf } from '../../src/text/source-file.js'
import { collectionNames } from '../../src/world/state/collections.js'
import { checkFixtures, readFixtures } from '../../src/world/state/fixtures.js'
import { folder } from '../binary.js'
import { build } from '../helper.js'
import { holds } from '../property.js'
import { type Mangled, mangled, readOrRefuse, textOf } from './documents.js'
import { exercise } from './exercise.js'
import { changedValue, type ValueChange, valueChanges } from './values.js'

/** The default world with a few of each: more make files longer and find no more. */
const whole = await readFixtures(defaultFixtures)
const few: Fixtures = Object.fromEntries(
  Object.entries(whole).map(([name, records]) => [
    name,
    name !== 'users' && Array.isArray(records) ? records.slice(0, 3) : records,
  ]),
)
few.invitations?.push({
  ...(few.invitations[0] as NonNullable<Fixtures['invitations']>[number]),
  id: '00000000-0000-4000-8000-000000000000',
  accepts_at: '2026-01-15T09:30:00Z',
})
const bases = { few, alone: { organizations: few.organizations }, list: few.organizations }

const WORDS = [
  ...Object.keys(few),
  ...Object.values(few).flatMap((records) => Object.keys((records as object[])[0] ?? {})),
  'token-admin',
  'accepted',
  'pending',
  'purchase',
  few.users?.[0]?.uuid.toUpperCase() ?? '',
  few.organizations?.[0]?.uuid ?? '',
  'A@b.test',
  '2026-02-30T00:00:00Z',
  '2026-01-15T09:30:00+14:00',
  '2026-01-15t09:30:00.123456789z',
  '<script>alert(1)</script>',
  '9007199254740993',
]

t.test('fixtures in files, whatever they hold, are refused in words or serve every call', async (t) => {
  const place = join(folder(t), 'fixtures')
  const server = await build(t)
  const { shared } = server.worlds
  const check = async (one: Mangled, inFolder: boolean) => {
    await rm(place, { recursive: true, force: true })
    await mkdir(place)
    const file = join(place, `${one.base === 'list' ? 'organizations' : 'fixtures'}.${one.ending}`)
    await writeFile(file, textOf(bases, one))
    const fixtures = await readOrRefuse(() => readFixtures(inFolder ? place : file))
    if (fixtures === undefined) return
    server.worlds.use({ ...shared, seeded: { fixtures, files: [] } })
    server.worlds.root.reset()
    await exercise(server)
  }
  await holds(t, 'any files', fc.asyncProperty(mangled(bases, WORDS), fc.boolean(), check), {
    numRuns: 80,
    seed: 20_261,
  })
})

const listsOf = (fixtures: Fixtures) => collectionNames.map((name) => fixtures[name] ?? [])

t.test('fixtures as data, whatever they hold, are refused in words or are what was given', async (t) => {
  const check = async (changes: ValueChange[]) => {
    const data = changedValue<unknown>(few, changes)
    const before = JSON.stringify(listsOf(data as Fixtures))
    const checked = await readOrRefuse(() => checkFixtures(sourceOf('state', data)))
    if (checked !== undefined && JSON.stringify(listsOf(checked)) !== before) throw new Error('they were changed')
  }
  await holds(t, 'any data', fc.asyncProperty(valueChanges(WORDS), check), { numRuns: 200, seed: 20_261 })
})
