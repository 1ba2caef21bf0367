import { Type } from '@sinclair/typebox'
import { type Api, contractsOf } from '../../engine/api.js'
import { isReadOnly, outcomeId, successStatusOf } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { quote } from '../../engine/contract/wording.js'
import { readSource } from '../../engine/files/source-file.js'
import { validateSource } from '../../engine/files/validate-source.js'
import type { Gates, ShardFlaw } from './gates.js'
import { REPORT_HEAD, RunReport } from './run-report.js'

/** @throws {InvalidFiles} with every complaint */
export async function readReport(file: string, api: Api): Promise<RunReport> {
  const source = await readSource(file)
  // Other versions have other parts.
  await validateSource(source, Head)
  const { outcomes } = source.data as { readonly outcomes?: unknown }
  const contracts = contractsOf(api)
  // Other interpretations declare other statuses.
  const isOutcome = new RegExp(`^(?:${contracts.map(({ id }) => id).join('|')}):\\d{3}$`)
  const read = contracts.find(isReadOnly)
  const sample = read === undefined ? api.sampleOutcome : outcomeId(read, successStatusOf(read))
  const unknown = Object.keys(outcomes ?? {}).filter((id) => !isOutcome.test(id))
  const complaints = unknown.map((id) => ({
    path: ['outcomes', id],
    message: `${quote(id)} is no outcome: it must be an operation and a status, such as ${sample}.`,
    about: 'key' as const,
  }))
  await validateSource(source, RunReport, source.data, complaints)
  return source.data as RunReport
}

const Head = Type.Object({ kind: Type.Literal(REPORT_HEAD.kind), version: Type.Literal(REPORT_HEAD.version) })

export function findShardFlaws(
  files: readonly { readonly file: string; readonly report: RunReport }[],
  { shards, allowIdle }: Gates,
): ShardFlaw[] {
  const all = files.flatMap(({ file, report }) => report.runs.map((run) => ({ ...run, file })))
  const byId = [...groupBy(all, ({ id }) => id).values()]
  const isAllowed = shards === undefined
  const number = `The files contain ${byId.length} runs, but --shards expects ${shards}.`
  const repeats = byId.filter((own) => own.length > 1).map((own) => own.map(({ file }) => file).join(' and '))
  const idle = byId.flatMap(([first]) => (first?.calls === 0 ? first.file : []))
  return [
    ...(isAllowed || byId.length === shards ? [] : [{ message: number, isAllowed }]),
    ...repeats.map((names) => ({ message: `The same run is in ${names}: its requests are counted twice.`, isAllowed })),
    ...idle.map((file) => ({ message: `The run in ${file} made no requests.`, isAllowed: isAllowed || allowIdle })),
  ]
}
