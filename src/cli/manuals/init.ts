import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['init'],
  about: [
    'Writes three files to start from into the working directory: countersign.config.yaml, scenarios/first-save-fails.yaml and countersign.fixtures.json. Nothing that is there is overwritten.',
  ],
  flags: {},
  options: {},
  examples: ['countersign init'],
}
