import { Argument } from 'commander'
import { contracts } from '../../schemas/contracts.js'
import { interpretations } from '../../schemas/interpretations.js'
import { statements } from '../../schemas/statements.js'
import { applySwitches } from '../api/apply-switches.js'
import { defaultSwitches, schemaOfSwitch, switchText } from '../api/switches.js'
import { citationsIn } from '../engine/contract/citations.js'
import { outcomeId } from '../engine/contract/contract.js'
import { describeAllowed } from '../engine/contract/wording.js'
import type { FileComplaint } from '../engine/files/invalid-files.js'
import { activeScenarios } from '../engine/sandbox/settings.js'
import { describeComplaints } from '../server/complaints.js'
import { loadFixtures, loadScenarios } from '../server/load-data.js'
import type { Settings } from '../server/settings.js'
import { mutantsOf } from '../tools/mutate/mutants.js'
import { columnLines } from '../tools/report/report.js'
import type { CliCommand, Given } from './command.js'
import { readSettings } from './files.js'
import { toggle } from './flags.js'

type Cell = string | boolean | readonly string[]

interface List<T extends object = Readonly<Record<string, Cell>>> {
  /** The content, in words. */
  readonly holds: string
  data(settings: Settings, complaints: FileComplaint[]): Promise<readonly T[]> | readonly T[]
  /** The lines for one item, each as columns; by default a line with its values. */
  lines?(one: T): readonly (readonly Cell[])[]
}

/** A list with lines that are typed by its data. */
const defineList = <T extends object>(list: List<T>): List => list as never as List

/** The lists by name. */
const lists: Readonly<Record<string, List>> = {
  operations: {
    holds: 'the operations, with method, path and summary',
    data: () => contracts.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  },
  outcomes: {
    holds: 'every outcome, with its provenance',
    data: ({ switches }) =>
      applySwitches(contracts, switches).flatMap((contract) =>
        Object.entries(contract.responses).map(([status, { provenance, description }]) => ({
          outcome: outcomeId(contract, Number(status)),
          provenance,
          description,
        })),
      ),
  },
  scenarios: {
    holds: 'the scenarios from files, and whether each is on',
    data: async (settings, complaints) => {
      const loaded = await loadScenarios(settings, applySwitches(contracts, settings.switches))
      complaints.push(...loaded.complaints)
      const active = activeScenarios(settings)
      const files = loaded.library.all().filter(({ forces }) => forces === undefined)
      return files.map(({ name, description }) => ({ name, active: active.includes(name), description }))
    },
  },
  tokens: {
    holds: 'the tokens in the fixtures, with their users and permissions',
    data: async (settings) => {
      const users = (await loadFixtures(settings)).fixtures.users ?? []
      return users.map(({ token, email, permissions }) => ({ token, email, permissions }))
    },
  },
  statements: defineList({
    holds: 'the numbered sentences of the API document',
    data: () =>
      statements.map((statement) => ({
        id: statement.id,
        text: statement.text,
        notShown: 'notShown' in statement,
        operations: contracts
          .filter((contract) => citationsIn(contract).some(({ cites }) => cites.includes(statement.id)))
          .map((contract) => contract.id),
      })),
    lines: ({ id, text, notShown, operations }) => {
      const places = operations.length === contracts.length ? 'all operations' : operations
      return [[id, notShown ? 'not shown' : places, text]]
    },
  }),
  interpretations: defineList({
    holds: 'our interpretations of what the API document leaves open, with the current values of their switches',
    data: ({ switches: values }) =>
      interpretations.map(({ id, about, decision, reason, switches: names = [] }) => {
        const switches = names.map((name) => ({
          name,
          // Null if it is not set and operations differ.
          value: values[name] ?? null,
          default: defaultSwitches[name] ?? null,
          allowed: describeAllowed(schemaOfSwitch(name)),
        }))
        return { id, about, decision, reason, switches }
      }),
    lines: ({ id, about, decision, switches }) => [
      [id, `${about}: ${decision}`],
      ...switches.map((one) => [
        '',
        `${one.name}: ${switchText(one.value)}   (${one.allowed}; default ${switchText(one.default)})`,
      ]),
    ],
  }),
  mutants: {
    holds: "what 'countersign mutate' can make untrue, with the statements that each mutant breaks",
    data: ({ switches }) =>
      applySwitches(contracts, switches)
        .flatMap(mutantsOf)
        .map(({ id, cites }) => ({ mutant: id, cites })),
  },
}

/** The lists that are printed by default; `--json` includes all of them. */
const SHORT = ['operations', 'outcomes', 'scenarios', 'tokens']

const flags = { json: toggle('Print JSON, for other programs.') }

/** Prints lists, in columns or as JSON: the named ones, or the short ones by default. */
export const command: CliCommand = {
  word: new Argument('[LIST...]', `(default: ${SHORT.join(', ')})`).choices(Object.keys(lists)),
  about: `Prints the lists that you name.

With --json, a single list is an array. Several lists, or all of them if you name none, are an object with one key per list.`,
  flags,
  options: ['config', 'fixtures', 'scenarios', 'scenario'],
  sections: {
    Lists: Object.entries(lists)
      .map(([name, { holds }]) => `${name.padEnd(17)}${holds}`)
      .join('\n'),
    Examples: `
countersign list interpretations --config staging.yaml
countersign list operations --json`,
  },
  async run({ options, flags: { json }, words }: Given<typeof flags>, io) {
    const names = words.length > 0 ? words : json ? Object.keys(lists) : SHORT
    const settings = await readSettings(options, io)
    const complaints: FileComplaint[] = []
    const found = await Promise.all(
      names.map(async (name) => [name, await lists[name]!.data(settings, complaints)] as const),
    )
    const data = words.length === 1 ? found[0]?.[1] : Object.fromEntries(found)
    if (json) io.out(JSON.stringify(data, null, 2))
    else for (const [name, list] of found) io.out(listText(name, list))
    if (complaints.length > 0) io.err(describeComplaints(complaints, io.folder))
    return complaints.length === 0 ? 0 : 1
  },
}

function listText(name: string, data: readonly Readonly<Record<string, Cell>>[]): string {
  const { lines = (one) => [Object.values(one)] } = lists[name]!
  const rows = data.flatMap((one) => lines(one)).map((row) => row.map(cellText))
  return [`${name[0]?.toUpperCase()}${name.slice(1)}`, ...columnLines(rows), ''].join('\n')
}

function cellText(cell: Cell): string {
  return typeof cell === 'boolean' ? (cell ? 'on' : 'off') : [cell].flat().join(', ')
}
