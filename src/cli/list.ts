import { outcomeId } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { interpretations, type SwitchName } from '../../schemas/interpretations.js'
import { citationsIn } from '../../schemas/ledger.js'
import { defaultReadings, type Readings, schemaOfSwitch, valueText } from '../../schemas/readings.js'
import { type StatementId, statements } from '../../schemas/statements.js'
import { InvalidOption } from '../server/invalid-option.js'
import { loadFixtures, openLibrary } from '../server/load-data.js'
import { allowed, didYouMean, quote } from '../text/wording.js'
import { activeScenarios, type Settings } from '../world/settings.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { readSettings } from './read-settings.js'

/** What can be listed, each as lines of columns. */
const lists: Readonly<Record<string, (settings: Settings) => Promise<string[][]> | string[][]>> = {
  operations: () => contracts.map(({ id, method, path, summary }) => [id, method, path, summary]),
  outcomes: ({ readings }) =>
    contractsUnder(contracts, readings).flatMap((contract) =>
      Object.entries(contract.responses).map(([status, { provenance, description }]) => [
        outcomeId(contract, Number(status)),
        provenance,
        description,
      ]),
    ),
  scenarios: async (settings) => {
    const library = openLibrary(settings, contracts)
    await library.load()
    return library
      .all()
      .filter(({ forces }) => forces === undefined)
      .map(({ name, description }) => [name, activeScenarios(settings).includes(name) ? 'on' : 'off', description])
  },
  tokens: async (settings) =>
    (await loadFixtures(settings))
      .collection('users')
      .records.map(({ token, email, permissions }) => [token, email, permissions.join(', ')]),
  statements: () =>
    statements.map((statement) => [
      statement.id,
      'notShown' in statement ? 'not shown' : placesOf(statement.id),
      statement.text,
    ]),
  interpretations: ({ readings }) =>
    interpretations.flatMap((one) => {
      const switches: readonly SwitchName[] = 'switches' in one ? one.switches : []
      return [
        [one.id, `${one.about}: ${one.decision}`],
        ...switches.map((name) => ['', describeSwitch(name, readings)]),
      ]
    }),
}

/** What a switch is set to, what it takes, and its default. */
function describeSwitch(name: SwitchName, readings: Readings): string {
  return `${name}: ${valueText(name, readings)}   (${allowed(schemaOfSwitch(name))}; by default ${valueText(name, defaultReadings)})`
}

/** The operations that cite a statement. */
function placesOf(id: StatementId): string {
  const citing = contracts.filter((contract) => citationsIn(contract).some(({ cites }) => cites.includes(id)))
  return citing.length === contracts.length ? 'all operations' : citing.map((contract) => contract.id).join(', ')
}

/** What is listed where nothing is asked for by name. */
const SHORT = ['operations', 'outcomes', 'scenarios', 'tokens']

/** Prints operations, outcomes, scenarios and tokens, or the one that is named. */
export const list: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  const names = words.length === 0 ? SHORT : words
  const unknown = names.find((name) => !Object.hasOwn(lists, name))
  if (unknown !== undefined) {
    throw new InvalidOption(
      `There is no list of ${quote(unknown)}.${didYouMean(unknown, Object.keys(lists))} Lists: ${Object.keys(lists).join(', ')}.`,
    )
  }
  const settings = await readSettings(options, io)
  for (const name of names) {
    const rows = await lists[name]!(settings)
    io.out([`${name[0]?.toUpperCase()}${name.slice(1)}`, ...columns(rows), ''].join('\n'))
  }
  return 0
}

function columns(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}
