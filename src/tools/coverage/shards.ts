import { groupBy } from '../../engine/contract/group-by.js'
import type { Gates, OddShard } from './gates.js'
import type { RunReport } from './report.js'

interface ShardFile {
  readonly file: string
  readonly report: RunReport
}

export function oddShardsOf(files: readonly ShardFile[], { shards, allowIdle }: Gates): OddShard[] {
  const all = files.flatMap(({ file, report }) => report.runs.map((run) => ({ ...run, file })))
  const byId = [...groupBy(all, ({ id }) => id).values()]
  const isAllowed = shards === undefined
  const number = `The files are of ${byId.length} runs, not ${shards}.`
  const repeats = byId.filter((own) => own.length > 1).map((own) => own.map(({ file }) => file).join(' and '))
  const idle = byId.flatMap(([first]) => (first?.calls === 0 ? first.file : []))
  return [
    ...(isAllowed || byId.length === shards ? [] : [{ message: number, isAllowed }]),
    ...repeats.map((names) => ({ message: `The same run is in ${names}: its calls are counted twice.`, isAllowed })),
    ...idle.map((file) => ({ message: `A run made no calls: that of ${file}.`, isAllowed: isAllowed || allowIdle })),
  ]
}
