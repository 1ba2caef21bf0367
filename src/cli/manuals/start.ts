import { optionNames } from '../../server/options.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['[start] [options]'],
  about: [
    'Serves the API until you stop it (Ctrl+C). It prints its URL, the tokens and a curl command for each operation, and then a line for each exchange.',
    'Edits to the config file, scenarios and fixtures take effect while it runs.',
  ],
  flags: {},
  options: Object.fromEntries(optionNames.map((name) => [name, true])),
  examples: [
    'countersign',
    'countersign --port 4011 --scenario addOrganizationMember:409 --scenario slow-everything',
    'countersign start --fixtures ./fixtures --clock 2026-01-15T09:30:00Z --persist state.json',
    'countersign --provider https://api.example.test --provider-token "$REAL_TOKEN" --fallback',
  ],
}
