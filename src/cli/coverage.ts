import { resolve } from 'node:path'
import { Argument } from 'commander'
import { type Api, applySwitches, contractsOf } from '../engine/api.js'
import { mergeReports } from '../tools/coverage/run-report.js'
import { findShardFlaws, readReport } from '../tools/coverage/shards.js'
import { type CliCommand, type CommandInput, WrongUse } from './command.js'
import { readGates, reportRun, runFlags } from './exec.js'
import { requireDistinct } from './files.js'
import { flag, numberIn } from './flags.js'
import { GITHUB_ACTIONS_HELP, setUpRun } from './publish-report.js'

const flagsFor = (api: Api) => ({
  ...runFlags(api),
  shards: flag(
    '<N>',
    'How many runs the files must contain. Fails if runs are missing, extra or repeated, or, without --allow-idle, if one made no requests.',
    numberIn(1, 10_000),
  ),
})

export const command = (api: Api): CliCommand => ({
  usage: '[options] FILE…',
  operand: new Argument('<FILE...>', "files that 'npx countersign exec --coverage FILE' wrote"),
  about: `Adds up the coverage of several runs, and checks the total against the gates.

Use it to get one result for a test suite that is split into shards: have each shard write its file, without --min-coverage; collect the files; and set the gates here, with --shards for their number. An outcome counts as met if any shard met it. Calls, violations, deviations and unmatched requests are added up; --fail-on unused is for exec alone.

If the shards ran with other interpretations, pass their config file here, so that the same outcomes are expected.

${GITHUB_ACTIONS_HELP}`,
  flags: flagsFor(api),
  options: ['config'],
  sections: {
    'Exit status': `
0  all gates passed
1  a gate or the command of a run failed, nothing was called, a report could not be written, or a file is invalid
2  the command line is invalid`,
    Examples: `
npx countersign coverage --shards 2 --min-coverage 80 --fail-on violations shard-1.json shard-2.json`,
  },
  async run({ options, flags, operands: files }: CommandInput<ReturnType<typeof flagsFor>>, io) {
    if (flags.failOn?.includes('unused')) throw new WrongUse('Only countersign exec supports --fail-on unused.')
    requireDistinct(io, flags.coverage, flags.junit, flags.summary, ...files)
    const { switches } = await setUpRun(api, io, options, flags)
    const configuredApi = applySwitches(api, switches)
    const reports = await Promise.all(
      files.map(async (file) => ({ file, report: await readReport(resolve(io.folder, file), configuredApi) })),
    )
    const run = mergeReports(
      reports.map(({ file, report: { failure, ...report } }) => ({
        ...report,
        failure: failure && `${file}: ${failure}`,
      })),
    )
    const { shards } = flags
    const gates = { ...readGates(flags, contractsOf(configuredApi), Object.keys(run.outcomes)), shards }
    const shardFlaws = findShardFlaws(reports, gates)
    return (await reportRun({ run, api: configuredApi, gates, shardFlaws }, flags, io, io.out)) ? 0 : 1
  },
})
