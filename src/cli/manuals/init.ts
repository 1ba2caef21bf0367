import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['init'],
  about: [
    'Writes three starter files to the working directory: countersign.config.yaml, scenarios/first-save-fails.yaml and countersign.fixtures.json. Existing files are never overwritten.',
  ],
  flags: {},
  options: {},
  examples: ['countersign init'],
}
