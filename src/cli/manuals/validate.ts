import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['validate [options]'],
  about: [
    'Checks the config file, the fixtures and the scenarios without starting a server, and reports all complaints at once, with line and column. The exit status is 1 if there are any.',
  ],
  flags: {},
  options: { config: true, fixtures: true, scenarios: true, scenario: true, clock: true },
  examples: ['countersign validate', 'countersign validate --config conf/ci.yaml --scenarios ./scenarios'],
}
