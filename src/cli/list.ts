import { Type } from '@sinclair/typebox'
import { Argument } from 'commander'
import { type Api, contractsOf } from '../engine/api.js'
import { citationsIn } from '../engine/contract/citations.js'
import { outcomeId } from '../engine/contract/contract.js'
import { describeSwitchValue } from '../engine/contract/switches.js'
import { describeAllowed } from '../engine/contract/wording.js'
import { recordsOf } from '../engine/files/collections.js'
import type { FileComplaint } from '../engine/files/invalid-files.js'
import { activeScenarios } from '../engine/sandbox/settings.js'
import { describeComplaints } from '../server/describe-complaints.js'
import { type ConfiguredApi, configureApi, loadFixtures, loadScenarios } from '../server/load-data.js'
import type { Settings } from '../server/settings.js'
import { toolLists } from '../server/tools.js'
import { columnLines } from '../tools/report/report.js'
import type { CliCommand, CommandInput } from './command.js'
import { readSettings } from './files.js'
import { toggle } from './flags.js'

type Cell = string | boolean | readonly string[]

interface ListContents {
  readonly data: readonly object[]
  readonly rows: readonly (readonly Cell[])[]
}

interface List {
  readonly description: string
  load(configured: ConfiguredApi, settings: Settings, complaints: FileComplaint[]): Promise<ListContents>
}

function listOf<T extends object>(
  description: string,
  loadItems: (...args: Parameters<List['load']>) => Promise<readonly T[]> | readonly T[],
  rowsOf: (item: T, api: Api) => ListContents['rows'] = (item) => [Object.values(item)],
): List {
  return {
    description,
    async load(configured, ...others) {
      const data = await loadItems(configured, ...others)
      return { data, rows: data.flatMap((item) => rowsOf(item, configured.api)) }
    },
  }
}

const lists: Readonly<Record<string, List>> = {
  operations: listOf('the operations, with method, path and summary', ({ api }) =>
    contractsOf(api).map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  ),
  outcomes: listOf('every outcome, with its provenance', ({ api }) =>
    contractsOf(api).flatMap((contract) =>
      Object.entries(contract.responses).map(([status, { provenance, description }]) => ({
        outcome: outcomeId(contract, Number(status)),
        provenance,
        description,
      })),
    ),
  ),
  scenarios: listOf('the scenarios from files, and whether each is on', async (configured, settings, complaints) => {
    const { library, complaints: invalidFiles } = await loadScenarios(configured, settings)
    complaints.push(...invalidFiles)
    const active = activeScenarios(settings, null)
    const files = library.all().filter(({ forces }) => forces === undefined)
    return files.map(({ name, description }) => ({ name, active: active.includes(name), description }))
  }),
  tokens: listOf('the tokens in the fixtures, with their users and permissions', async (configured, settings) => {
    const { users } = configured.api
    return recordsOf((await loadFixtures(configured, settings)).fixtures, users.collection.name).map(users.row)
  }),
  statements: listOf(
    'the numbered sentences of the API document',
    ({ api }) =>
      api.statements.map(({ id, text, notShown = false }) => ({
        id,
        text,
        notShown,
        operations: contractsOf(api)
          .filter((contract) => citationsIn(contract).some((cites) => cites.includes(id)))
          .map((contract) => contract.id),
      })),
    ({ id, text, notShown, operations }, api) => {
      const citedBy = operations.length === api.operations.length ? 'all operations' : operations
      return [[id, notShown ? 'not shown' : citedBy, text]]
    },
  ),
  interpretations: listOf(
    'our interpretations of what the API document leaves open, with the current values of their switches',
    ({ api }, { switches: values }) =>
      api.interpretations.map(({ id, about, decision, reason, switches: names = [] }) => {
        const switches = names.map((name) => ({
          name,
          // Null without a value in the config if the default differs by operation.
          value: values[name] ?? null,
          default: api.switches[name]?.schema.default ?? null,
          allowed: describeAllowed(api.switches[name]?.schema ?? Type.Unknown()),
        }))
        return { id, about, decision, reason, switches }
      }),
    ({ id, about, decision, switches }) => [
      [id, `${about}: ${decision}`],
      ...switches.map((one) => [
        '',
        `${one.name}: ${describeSwitchValue(one.value)}   (${one.allowed}; default ${describeSwitchValue(one.default)})`,
      ]),
    ],
  ),
  ...Object.fromEntries(
    Object.entries(toolLists).map(([name, { description, data }]) => [
      name,
      listOf(description, ({ api }) => data(contractsOf(api))),
    ]),
  ),
}

const DEFAULT_LISTS = ['operations', 'outcomes', 'scenarios', 'tokens']

const flags = { json: toggle('Print JSON, for other programs.') }

export const command = (api: Api): CliCommand => ({
  operand: new Argument('[LIST...]', `(default: ${DEFAULT_LISTS.join(', ')})`).choices(Object.keys(lists)),
  about: `Prints the lists that you name.

With --json, a single list is an array. Several lists, or all of them if you name none, are an object with one key per list.`,
  flags,
  options: ['config', 'fixtures', 'scenarios', 'scenario'],
  sections: {
    Lists: Object.entries(lists)
      .map(([name, { description }]) => `${name.padEnd(17)}${description}`)
      .join('\n'),
    Examples: `
npx countersign list interpretations --config staging.yaml
npx countersign list operations --json`,
  },
  async run({ options, flags: { json }, operands }: CommandInput<typeof flags>, io) {
    const defaultNames = json ? Object.keys(lists) : DEFAULT_LISTS
    const names = operands.length > 0 ? operands : defaultNames
    const settings = await readSettings(api, options, io)
    const configured = configureApi(api, settings.switches)
    const complaints: FileComplaint[] = []
    const contents = await Promise.all(
      names.map(async (name) => [name, await lists[name]!.load(configured, settings, complaints)] as const),
    )
    const data = Object.fromEntries(contents.map(([name, list]) => [name, list.data]))
    if (json) io.out(JSON.stringify(operands.length === 1 ? contents[0]?.[1].data : data, null, 2))
    else for (const [name, list] of contents) io.out(listText(name, list))
    if (complaints.length > 0) io.err(describeComplaints(complaints, io.folder))
    return complaints.length === 0 ? 0 : 1
  },
})

function listText(name: string, { rows }: ListContents): string {
  const textOf = (cell: Cell) => (typeof cell === 'boolean' ? (cell ? 'on' : 'off') : [cell].flat().join(', '))
  const texts = rows.map((row) => row.map(textOf))
  return [`${name[0]?.toUpperCase()}${name.slice(1)}`, ...columnLines(texts), ''].join('\n')
}
