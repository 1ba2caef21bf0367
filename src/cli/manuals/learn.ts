import { targetFlags } from '../flags/target.js'
import type { Manual } from '../manual.js'
import { DATA_SECTION, ENVIRONMENT_SECTION } from './provider-data.js'

/** Where the readings go where no other file is named. */
export const OUT = 'countersign.learned.yaml'

export const manual: Manual = {
  usage: ['learn --target URL --token TOKEN [options]'],
  about: [
    "Finds out how a real deployment reads what the document leaves open ('countersign list interpretations'), and writes each switch that it shows, with the evidence: statuses and shapes, and no name, address or token. Learning again adds to the file.",
    'start, exec, openapi, list and verify take the file with --interpretations. With --allow-writes more is shown, and something stays at the deployment; the end of the output says what.',
  ],
  flags: { ...targetFlags, out: { value: 'FILE', does: `File for the readings, as YAML (default ${OUT}).` } },
  options: { config: true },
  sections: [
    DATA_SECTION,
    ENVIRONMENT_SECTION,
    {
      title: 'Exit status',
      rows: [
        ['0', 'the deployment was asked, whether or not it showed something'],
        ['2', 'wrong use: the command line, a file, or a token that is not accepted'],
        ['3', 'the deployment is not available; what was learned before is written'],
      ],
    },
  ],
  examples: [
    'countersign learn --target https://api.example.test --token "$TOKEN"',
    'countersign learn --target https://api.example.test --allow-writes --data data.yaml --out staging.yaml',
  ],
}
