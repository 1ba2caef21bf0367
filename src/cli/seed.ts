import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Api, BulkGenerator } from '../engine/api.js'
import { isClockTime, TIME } from '../engine/contract/time.js'
import { quote } from '../engine/contract/wording.js'
import { fixturesFormat, recordsOf, referencesIn } from '../engine/files/collections.js'
import { readFixtures } from '../engine/files/fixtures.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { shellQuote } from '../engine/judge/curl.js'
import { seededNumber } from '../engine/sandbox/seeded.js'
import { flagOf, readEnvironment } from '../server/options.js'
import { type CliCommand, type CommandInput, WrongUse } from './command.js'
import { withWriteErrors, writeTextFile } from './files.js'
import { flag, numberIn } from './flags.js'

/** A file of fixtures may have 64 MB. */
const MAX_RECORDS = 100_000

const countFlag = ({ label }: BulkGenerator) =>
  flag('<N>', `How many ${label} to add: 0 to ${MAX_RECORDS}.`, numberIn(0, MAX_RECORDS), 0)

const fixedFlags = {
  out: flag('<FOLDER>', 'New or empty folder to write the files to.'),
  until: flag(
    '<DATE>',
    'New records are dated before this date (midnight UTC) or ISO 8601 time (2026-01-15T09:30:00Z); default today.',
    parseTime,
  ),
}

export const command = async (api: Api): Promise<CliCommand> => {
  const bulk = await api.bulk()
  const countFlags = Object.fromEntries(bulk.map((records) => [records.flag, countFlag(records)]))
  const examples = bulk.slice(0, 2).map((one, at) => `--${flagOf(one.flag)} ${at === 0 ? 100_000 : 5_000}`)
  return {
    usage: '--out FOLDER [options]',
    about: `Writes a folder of fixtures, one file per collection: the records of the default fixtures, or of --fixtures, plus as many generated records as you ask for. Serve it with --fixtures FOLDER.

The generated records refer to other records of those fixtures, and their dates are spread over the time before --until. The same --seed and --until produce the same bytes. A folder that is not empty is left untouched.`,
    flags: { out: fixedFlags.out, ...countFlags, until: fixedFlags.until },
    options: ['fixtures', 'seed'],
    optionHelp: {
      fixtures: 'Fixtures file or folder to start from, instead of the default fixtures.',
      seed: 'Seed for the generated records (default 1).',
    },
    sections: { Examples: `npx countersign seed --out bulk ${examples.join(' ')} --fixtures ./fixtures --seed 7` },
    async run({ options, flags }: CommandInput<typeof fixedFlags>, io) {
      const { fixtures: path = api.fixturesPath, seed = '1' } = { ...readEnvironment(io.environment), ...options }
      const { out, until = parseTime(new Date().toISOString().slice(0, 10), '--until') } = flags
      if (out === undefined)
        throw new WrongUse(`--out is missing. Usage: npx countersign seed --out FOLDER ${examples[0] ?? ''}`)
      const format = fixturesFormat(api.collections, api.fixturesPath)
      const fixtures = await readFixtures(format, resolve(io.folder, path))
      const counts: Readonly<Record<string, unknown>> = flags
      for (const { flag, collection } of bulk.filter((records) => counts[records.flag] !== 0)) {
        const missing = referencesIn([collection]).find(({ to }) => recordsOf(fixtures, to).length === 0)
        if (missing !== undefined)
          throw new InvalidOption(
            `--${flagOf(flag)} needs ${missing.to} that the records belong to, and the fixtures have none. Add one, or omit --fixtures.`,
          )
      }
      const { base, en, Faker } = await import('@faker-js/faker')
      const faker = new Faker({ locale: [en, base], seed: Math.floor(seededNumber(seed) * 2 ** 32) })
      faker.setDefaultRefDate(until)
      await withWriteErrors(io, out, (folder) => mkdir(folder, { recursive: true }))
      if ((await readdir(resolve(io.folder, out))).length > 0)
        throw new InvalidOption(`${out} is not empty, so it was left untouched. Choose a new or empty folder.`)
      for (const { name } of api.collections) {
        const generator = bulk.find(({ collection }) => collection.name === name)
        const count = generator === undefined ? 0 : Number(counts[generator.flag])
        const generated = Array.from({ length: count }, (_, at) => generator?.make(faker, at + 1, fixtures))
        const lines = [...recordsOf(fixtures, name), ...generated].map((record) => JSON.stringify(record)).join(',\n')
        await writeTextFile(io, `${out}/${name}.json`, `{ "version": 1, "${name}": [\n${lines}\n] }\n`)
      }
      const argument = /^[\w./-]+$/.test(out) ? out : shellQuote(out)
      io.out(`Wrote ${out}. To serve it: npx countersign --fixtures ${argument}`)
      return 0
    },
  }
}

function parseTime(text: string, source: string): Date {
  if (!isClockTime(text)) throw new WrongUse(`${source} must be ${TIME}, from 1970 on, not ${quote(text)}.`)
  return new Date(text)
}
