import { optionNames } from '../../server/options.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['mutate [options] -- COMMAND [ARGUMENT…]'],
  about: [
    'Measures a test suite: would it notice if the API were otherwise? Runs the command twice as it is, then once for each of some mutants. A mutant makes one documented thing untrue, such as a field that is missing or an invitation that is not sent. If the command then succeeds, no test looks at that.',
    'Each run has a server and a world of its own, on a free port in COUNTERSIGN_URL. What the document leaves open is never altered.',
    'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.',
  ],
  flags: {
    count: { value: 'N', does: 'How many mutants to try at most (default 50).' },
    minutes: { value: 'N', does: 'How many minutes to take at most, the first two runs included (default 10).' },
    jobs: { value: 'N', does: 'How many runs at once (default 1). Each has a port of its own in COUNTERSIGN_URL.' },
    only: { value: 'OPERATIONS', does: 'Alter the answers of these operations alone, comma-separated.' },
    'min-noticed': { value: 'PERCENT', does: 'Percentage of the mutants that must be noticed, from 0 to 100.' },
    'fail-on': { value: 'unnoticed', does: 'Fail if a mutant is unnoticed.' },
    baseline: { value: 'FILE', does: 'Fail if a mutant is unnoticed that was noticed in this earlier --json report.' },
    json: { value: 'FILE', does: 'Write what became of each mutant as JSON.' },
    junit: { value: 'FILE', does: 'Write each mutant as a JUnit test case.' },
    summary: { value: 'FILE', does: 'Write what was unnoticed as markdown.' },
  },
  options: {
    ...Object.fromEntries(
      optionNames
        .filter((name) => !['port', 'watch', 'persist', 'provider'].includes(name))
        .map((name) => [name, true]),
    ),
    seed: 'Which mutants are drawn, and what else chance decides.',
  },
  sections: [
    {
      title: 'In the config file',
      text: ['mutate.except lists mutants that are not tried, each with the reason why.'],
    },
    {
      title: 'One mutant, in a debugger',
      text: ['With COUNTERSIGN_MUTANT=ID in the environment, exec runs the command once with that mutant.'],
    },
    {
      title: 'Exit status',
      rows: [
        ['0', 'all gates passed, or none was set'],
        ['1', 'a gate failed, or a report could not be written at the end'],
        [
          '2',
          'the command fails as it is, differs from run to run or calls nothing; or the command line or a file is invalid, or a report has no place',
        ],
        ['130', 'interrupted with Ctrl-C; what was known by then is printed'],
      ],
    },
  ],
  examples: [
    'countersign mutate --count 10 --seed 7 -- npm test',
    'countersign mutate --count 20 --jobs 2 --only addOrganizationMember -- npm test',
    'countersign mutate --count 10 --min-noticed 50 --json mutants.json -- npm test',
    'countersign mutate --count 10 --baseline mutants.json -- npm test',
  ],
}
