import type { FlagTable } from '../flags/flag.js'
import { targetFlags } from '../flags/target.js'
import type { Manual } from '../manual.js'
import { DATA_SECTION, ENVIRONMENT_SECTION } from './provider-data.js'

/** Where reports go, and what was seen. */
export const verifyReportFlags = {
  json: { value: 'FILE', does: 'Write the findings as JSON, each statement once.' },
  junit: { value: 'FILE', does: 'Write them as JUnit XML.' },
  summary: { value: 'FILE', does: 'Write them as markdown.' },
  record: { value: 'FILE', does: 'Write a snapshot: the shapes of the answers, without names, addresses and tokens.' },
} as const satisfies FlagTable

export const manual: Manual = {
  usage: ['verify --target URL --token TOKEN [options]', 'verify --against SNAPSHOT [options]'],
  about: [
    "Checks a real deployment against each statement of the API's document ('countersign list statements'), and says of each: ok, drift (it is documented, and otherwise), differs (from a reading of ours) or unchecked, with the reason.",
    'Without --allow-writes, what would change something is seen refusing only. With it, a member is updated and put back as it was, somebody new at example.test is invited, a signature uploaded and a link made; the report says what stays. Refused connections and 429, 502, 503 and 504 are retried, and are never drift.',
    'With --against, a snapshot that --record wrote stands in for the deployment: neither service nor token is needed.',
    "In GitHub Actions, failures are annotations as well, and the step's summary is written without --summary.",
  ],
  flags: {
    ...targetFlags,
    ...verifyReportFlags,
    against: { value: 'FILE', does: 'Check this mock against a snapshot, instead of asking a deployment.' },
  },
  options: {
    config: true,
    interpretations: true,
    strict: 'Fail as well where the deployment departs from a reading that a switch could settle.',
  },
  sections: [
    DATA_SECTION,
    ENVIRONMENT_SECTION,
    {
      title: 'Exit status',
      rows: [
        ['0', 'as documented'],
        ['1', 'drift; with --strict also where it differs from a reading that has a switch'],
        ['2', 'wrong use: the command line, a file, or a token that is not accepted'],
        ['3', 'the deployment cannot be judged, since it is not available'],
      ],
    },
  ],
  examples: [
    'countersign verify --target https://api.example.test --token "$TOKEN"',
    'countersign verify --target https://api.example.test --allow-writes --data data.yaml --junit verify.xml',
    'countersign verify --target https://api.example.test --token "$TOKEN" --record countersign.snapshot.yaml',
    'countersign verify --against countersign.snapshot.yaml --interpretations countersign.learned.yaml --strict',
  ],
}
