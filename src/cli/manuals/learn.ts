import { targetFlags } from '../flags/target.js'
import type { Manual } from '../manual.js'
import { DATA_SECTION, ENVIRONMENT_SECTION } from './provider-data.js'

/** The default file for readings. */
export const OUT = 'countersign.learned.yaml'

export const manual: Manual = {
  usage: ['learn --target URL --token TOKEN [options]'],
  about: [
    "Finds out how a provider (a real deployment of the API) reads what the document leaves open ('countersign list interpretations'), and writes each switch that it shows, with the evidence: statuses and shapes, but no names, addresses or tokens. Running learn again adds to the file.",
    'Pass the file to start, exec, openapi, list or verify with --interpretations. With --allow-writes, learn finds out more but leaves data behind at the provider; the end of the output lists it.',
  ],
  flags: { ...targetFlags, out: { value: 'FILE', does: `File to write the readings to, as YAML (default ${OUT}).` } },
  options: { config: true },
  sections: [
    DATA_SECTION,
    ENVIRONMENT_SECTION,
    {
      title: 'Exit status',
      rows: [
        ['0', 'the provider was asked, whether or not it showed anything'],
        ['2', 'wrong use: an invalid command line or file, or a token that is not accepted'],
        ['3', 'the provider is unavailable; anything learned before that is written'],
      ],
    },
  ],
  examples: [
    'countersign learn --target https://api.example.test --token "$TOKEN"',
    'countersign learn --target https://api.example.test --allow-writes --data data.yaml --out staging.yaml',
  ],
}
