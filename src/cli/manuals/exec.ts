import { optionNames } from '../../server/options.js'
import { gateFlags, runReportFlags } from '../flags/run.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['exec [options] -- COMMAND [ARGUMENT…]'],
  about: [
    'Starts its own server, runs a command such as a test suite against it, stops the server, and checks the run against the gates. Everything after -- belongs to the command.',
    'The server listens on a free port unless you pass --port; a port in the config file or the environment is ignored. It never watches files. Its output goes to standard error; standard output belongs to the command.',
    'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.',
  ],
  flags: { ...gateFlags, ...runReportFlags },
  options: {
    ...Object.fromEntries(optionNames.map((name) => [name, true])),
    port: 'Port to listen on (default: a free one).',
    watch: 'Has no effect here: files are never watched.',
  },
  sections: [
    {
      title: 'Environment variables set for the command',
      rows: [
        ['COUNTERSIGN_URL', 'base URL of the server'],
        ['COUNTERSIGN_TOKEN', "the first user's token"],
        ['COUNTERSIGN_ADMIN_URL', 'base URL of the admin API'],
        ['COUNTERSIGN_ADMIN_TOKEN', 'the token set with --admin-token, if any'],
      ],
    },
    {
      title: 'Values of --fail-on',
      rows: [
        ['violations', 'requests that depart from the document, or are clearly mistakes'],
        ['violations:all', 'also requests that depart only from one of our readings'],
        ['unmatched', 'requests that match no operation'],
        ['unused', 'rules of active scenarios that no request matched'],
        ['deviations', 'answers that depart from the document, and calls that the provider did not answer'],
      ],
    },
    {
      title: 'Exit status',
      rows: [
        ['0', 'the command succeeded, and all gates passed'],
        ['1', 'a gate failed, a report could not be written, or the command line or a file is invalid'],
        ['2', 'the command or a flag is unknown'],
        [
          'other',
          "the command's own status, if it failed; 126 or 127 if it cannot be run; 128 plus the number of the signal that ended it",
        ],
      ],
    },
  ],
  examples: [
    'countersign exec -- npm test',
    'countersign exec --fail-on violations,unmatched --min-coverage 80 --junit junit.xml -- npm test',
    'countersign exec --require addOrganizationMember:409 --coverage shard-1.json -- npx playwright test --shard 1/2',
    'countersign exec --coverage shard-2.json -- npx playwright test --shard 2/2',
  ],
}
