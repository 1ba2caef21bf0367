import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TIME, timeOf } from '../engine/contract/time.js'
import { quote } from '../engine/contract/wording.js'
import { collectionNames, references } from '../engine/files/collections.js'
import { readFixtures } from '../engine/files/fixtures.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { defaultFixtures } from '../package-root.js'
import { flagOf, readEnvironment } from '../server/options.js'
import { type CliCommand, type Given, WrongUse } from './command.js'
import { withWriteErrors, writeNamedFile } from './files.js'
import { flag, numberIn } from './flags.js'
import type { Generated } from './generate-fixtures.js'

/** The flags that say how many records of a collection are generated. */
const collections = {
  credits: 'credit_histories',
  attachments: 'attachments',
  members: 'organization_members',
  subMembers: 'sub_organization_members',
  documents: 'documents',
} as const satisfies Record<string, Generated>

/** The largest number of records to generate for one collection. */
const MOST = 1_000_000

const count = (name: string) =>
  flag(
    '<N>',
    `How many ${name.replace('sub_', 'sub-').replaceAll('_', ' ')} to add: 0 to ${MOST}.`,
    numberIn(0, MOST),
    0,
  )

const flags = {
  out: flag('<FOLDER>', 'New or empty folder to write the files to.'),
  credits: count(collections.credits),
  attachments: count(collections.attachments),
  members: count(collections.members),
  subMembers: count(collections.subMembers),
  documents: count(collections.documents),
  until: flag(
    '<DATE>',
    'Date, which begins in UTC, or ISO 8601 time (2026-01-15T09:30:00Z) that records are dated before (default today).',
    untilOf,
  ),
}

/** Writes the default fixtures, or that of --fixtures, plus generated records; the same seed and day give the same bytes. */
export const command: CliCommand = {
  usage: '--out FOLDER [options]',
  about: `Writes a folder of fixtures, one file per collection: the records of the default fixtures, or of --fixtures, plus as many generated records as you ask for. Serve it with --fixtures FOLDER.

The generated records refer to organizations, users and projects of those fixtures, and their dates are spread over the time before --until. The same --seed and --until produce the same bytes. A folder that is not empty is left untouched.`,
  flags,
  options: ['fixtures', 'seed'],
  meanings: {
    fixtures: 'Fixtures file or folder to start from, instead of the default fixtures.',
    seed: 'Seed for the generated records (default 1).',
  },
  sections: {
    Examples: 'countersign seed --out bulk --credits 100000 --sub-members 5000 --fixtures ./fixtures --seed 7',
  },
  async run({ options: given, flags: values }: Given<typeof flags>, io) {
    const options = { ...readEnvironment(io.environment), ...given }
    const { out, until = untilOf(new Date().toISOString().slice(0, 10), '--until') } = values
    if (out === undefined) throw new WrongUse('--out is missing. Usage: countersign seed --out FOLDER --credits 1000')
    const fixtures = await readFixtures(resolve(io.folder, options.fixtures ?? defaultFixtures))
    const counts = new Map<string, number>()
    for (const [key, name] of Object.entries(collections) as [keyof typeof collections, Generated][]) {
      counts.set(name, values[key])
      const missing = references.find(({ from, to }) => from === name && (fixtures[to] ?? []).length === 0)
      if (values[key] > 0 && missing !== undefined)
        throw new InvalidOption(
          `--${flagOf(key)} needs ${missing.to} that the records belong to, and the fixtures have none. Add one, or leave --fixtures out.`,
        )
    }
    const { fakerFrom, generate } = await import('./generate-fixtures.js')
    const faker = fakerFrom(seedNumber(options.seed ?? '1'), until)
    await withWriteErrors(io, out, (folder) => mkdir(folder, { recursive: true }))
    if ((await readdir(resolve(io.folder, out))).length > 0)
      throw new InvalidOption(`${out} is not empty, so it was left untouched. Name a new or empty folder.`)
    for (const name of collectionNames) {
      const added = counts.get(name) ?? 0
      const records = [
        ...(fixtures[name] ?? []),
        ...(added === 0 ? [] : generate(name as Generated, added, faker, fixtures)),
      ]
      const lines = records.map((record) => JSON.stringify(record)).join(',\n')
      await writeNamedFile(io, `${out}/${name}.json`, `{ "version": 1, "${name}": [\n${lines}\n] }\n`)
    }
    io.out(`Wrote ${out}. To serve it: countersign --fixtures ${out}`)
    return 0
  },
}

/** The time before which records are dated. */
function untilOf(text: string, source: string): Date {
  const time = timeOf(text)
  if (time === undefined) throw new WrongUse(`${source} must be ${TIME}, not ${quote(text)}.`)
  return new Date(time)
}

/** The generator takes numbers; other seeds count by their characters. */
function seedNumber(text: string): number {
  return /^\d{1,9}$/.test(text)
    ? Number(text)
    : [...text].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) as number)) % 2 ** 31, 7)
}
