import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['explain SCENARIO [options]'],
  about: [
    'Explains in plain words what a scenario does, rule by rule. A scenario is one of your files, one that ships with the package, an outcome, or a gateway status.',
  ],
  flags: {},
  options: { config: true, scenarios: true, interpretations: true },
  examples: ['countersign explain flaky-network', 'countersign explain addOrganizationMember:409'],
}
