import { optionNames } from '../../server/options.js'
import { gateFlags, runReportFlags } from '../flags/run.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['exec [options] -- COMMAND [ARGUMENT…]'],
  about: [
    'Starts a server of its own, runs a command such as a test suite against it, stops the server, and checks what the command did against the gates. Everything after the two dashes belongs to the command.',
    "The server takes a free port unless --port is given here, whatever config file and environment say, and never watches files. What it prints goes to standard error; standard output is the command's.",
    "In GitHub Actions, failures are annotations as well, and the step's summary is written without --summary.",
  ],
  flags: { ...gateFlags, ...runReportFlags },
  options: {
    ...Object.fromEntries(optionNames.map((name) => [name, true])),
    port: 'Port to listen on (default: a free one).',
    watch: 'Has no effect here: files are not watched.',
  },
  sections: [
    {
      title: 'What the command finds in its environment',
      rows: [
        ['COUNTERSIGN_URL', 'base URL of the server'],
        ['COUNTERSIGN_TOKEN', "the first user's token"],
        ['COUNTERSIGN_ADMIN_URL', 'base URL of the admin API'],
        ['COUNTERSIGN_ADMIN_TOKEN', 'the token of --admin-token, if there is one'],
      ],
    },
    {
      title: 'What --fail-on takes',
      rows: [
        ['violations', 'requests that depart from the document, or are surely mistaken'],
        ['violations:all', 'also those that depart from a reading of ours alone'],
        ['unmatched', 'requests that no operation matched'],
        ['unused', 'rules of scenarios that were on and that no request met'],
        ['deviations', 'answers that depart from the document, and a provider that did not answer'],
      ],
    },
    {
      title: 'Exit status',
      rows: [
        ['0', 'the command succeeded, and so did the gates'],
        ['1', 'a gate failed, a report cannot be written, or the command line or a file is wrong'],
        [
          'other',
          "that of the command, where it failed; 126 or 127 where it cannot be run, 128 plus the signal's number",
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
