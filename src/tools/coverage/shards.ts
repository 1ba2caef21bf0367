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
  // Files of other versions have other fields.
  await validateSource(source, Head)
  const { outcomes } = source.data as { readonly outcomes?: unknown }
  const contracts = contractsOf(api)
  // Any status: other interpretations may declare it.
  const isOutcome = new RegExp(`^(?:${contracts.map(({ id }) => id).join('|')}):\\d{3}$`)
  const readOnly = contracts.find(isReadOnly)
  const sample = readOnly === undefined ? api.sampleOutcome : outcomeId(readOnly, successStatusOf(readOnly))
  const unknown = Object.keys(outcomes ?? {}).filter((id) => !isOutcome.test(id))
  const complaints = unknown.map((id) => ({
    path: ['outcomes', id],
    message: `${quote(id)} is not an outcome: it must be an operation and a status, such as ${sample}.`,
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
  const runs = [...groupBy(all, ({ id }) => id).values()]
  const isAllowed = shards === undefined
  const wrongNumber = `The files contain ${runs.length} runs, but --shards expects ${shards}.`
  const repeats = runs.flatMap((copies) => (copies.length > 1 ? copies.map(({ file }) => file).join(' and ') : []))
  const idleFiles = runs.flatMap(([run]) => (run?.calls === 0 ? run.file : []))
  return [
    ...(isAllowed || runs.length === shards ? [] : [{ message: wrongNumber, isAllowed }]),
    ...repeats.map((names) => ({ message: `The same run is in ${names}: its requests count again.`, isAllowed })),
    ...idleFiles.map((file) => ({
      message: `The run in ${file} made no requests.`,
      isAllowed: isAllowed || allowIdle,
    })),
  ]
}
