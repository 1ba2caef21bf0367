import type { FlagTable } from '../flags/flag.js'
import { targetFlags } from '../flags/target.js'
import type { Manual } from '../manual.js'
import { DATA_SECTION, ENVIRONMENT_SECTION } from './provider-data.js'

/** Where to write the reports. */
export const verifyReportFlags = {
  json: { value: 'FILE', does: 'Write the findings as JSON, with each statement once.' },
  junit: { value: 'FILE', does: 'Write the findings as JUnit XML.' },
  summary: { value: 'FILE', does: 'Write the findings as markdown.' },
  'write-interpretations': {
    value: 'FILE',
    does: 'Write the interpretations that the provider shows as a config file, in YAML.',
  },
} as const satisfies FlagTable

export const manual: Manual = {
  usage: ['verify --target URL --token TOKEN [options]'],
  about: [
    "Checks a provider (a real deployment of the API) against each statement of the API document ('countersign list statements'). The result for each is ok, drift (it departs from the document), differs (it departs from one of our readings) or unchecked, with the reason.",
    'Without --allow-writes, operations that would change something are only sent requests that they must refuse. With it, a member is updated and then restored, a new address at example.test is invited, a signature is uploaded and a signing link is created; the report lists what remains. Refused connections and statuses 429, 502, 503 and 504 are retried, and never count as drift.',
    'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.',
  ],
  flags: { ...targetFlags, ...verifyReportFlags },
  options: {
    config: true,
    strict: 'Also fail if the provider departs from a reading that has a switch.',
  },
  sections: [
    DATA_SECTION,
    ENVIRONMENT_SECTION,
    {
      title: 'Exit status',
      rows: [
        ['0', 'the provider behaves as documented'],
        ['1', 'drift; with --strict, also any difference from a reading that has a switch'],
        ['2', 'wrong use: an invalid command line or file, or a token that is not accepted'],
        ['3', 'the provider is unavailable, so it cannot be judged'],
      ],
    },
  ],
  examples: [
    'countersign verify --target https://api.example.test --token "$TOKEN"',
    'countersign verify --target https://api.example.test --allow-writes --data data.yaml --junit verify.xml',
    'countersign verify --target https://api.example.test --allow-writes --write-interpretations provider.yaml',
  ],
}
