import { gateFlags, runReportFlags } from '../flags/run.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['coverage [options] FILE…'],
  about: [
    'Adds up the coverage of several runs, and checks the total against the gates. Each FILE was written by a run of exec with --coverage FILE.',
    'Use it to get one result for a test suite that is split into shards: have each shard write its file, without --min-coverage; collect the files; and set the gates here. An outcome counts as met if any shard met it. Calls, violations, deviations and unmatched requests are added up.',
    "If the shards ran with other interpretations, pass their config file here, so that the same outcomes are expected. '--fail-on unused' works only with exec.",
    'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.',
  ],
  flags: { ...gateFlags, ...runReportFlags },
  options: { config: true },
  sections: [
    {
      title: 'Exit status',
      rows: [
        ['0', 'all gates passed'],
        ['1', 'a gate failed, a report could not be written, or the command line or a file is invalid'],
        ['2', 'the command or a flag is unknown'],
      ],
    },
  ],
  examples: [
    'countersign coverage --min-coverage 80 --fail-on violations --junit junit.xml shard-1.json shard-2.json',
    'countersign coverage --coverage all.json --summary summary.md shard-*.json',
  ],
}
