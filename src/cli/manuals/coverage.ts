import { gateFlags, runReportFlags } from '../flags/run.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['coverage [options] FILE…'],
  about: [
    'Adds up what several runs met, and checks the sum against the gates. Each file is what a run of exec wrote with --coverage FILE.',
    'So a suite that is split into shards has one result: let each shard write its file and set no --min-coverage, bring the files together, and set the gates here. An outcome counts as met where any shard met it; calls, violations, deviations and unmatched requests are added up.',
    "If the shards ran under other readings, name the same ones here (--interpretations, or the config file), so that the same outcomes are expected. '--fail-on unused' is for exec alone.",
    "In GitHub Actions, failures are annotations as well, and the step's summary is written without --summary.",
  ],
  flags: { ...gateFlags, ...runReportFlags },
  options: { config: true, interpretations: true },
  sections: [
    {
      title: 'Exit status',
      rows: [
        ['0', 'all gates passed'],
        ['1', 'a gate failed, a report cannot be written, or the command line or a file is wrong'],
      ],
    },
  ],
  examples: [
    'countersign coverage --min-coverage 80 --fail-on violations --junit junit.xml shard-1.json shard-2.json',
    'countersign coverage --coverage all.json --summary summary.md shard-*.json',
  ],
}
