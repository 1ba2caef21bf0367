import { GATEWAY_STATUSES } from '../../engine/contract/contract.js'
import { FAULTS, LONGEST_DELAY_MS } from '../../engine/files/scenario.js'
import type { PREFERENCES } from '../../engine/judge/preference-names.js'
import type { Json } from './versions.js'

const enginePreferences: { readonly [Name in (typeof PREFERENCES)[number]]: string } = {
  code: `\`code=409\`: the outcome with that status. The operation must declare the status, or it must be a gateway status: ${GATEWAY_STATUSES.join(', ')}. It takes precedence over all checks.`,
  delay: `\`delay=1500\`: milliseconds to delay the answer by, up to ${LONGEST_DELAY_MS}.`,
  scenario: '`scenario=NAME`: the scenario of that name, for this request.',
  fault: `\`fault=NAME\`: a connection failure, one of ${FAULTS.map((fault) => `\`${fault}\``).join(', ')}.`,
  expect: '`expect=400`: the status that the test expects. If it comes, the violations of the request are not counted.',
}

/** No pattern or example: importers and fuzzers would send it and force outcomes. */
export function preferParameter(toolPreferences: Readonly<Record<string, string>>): Json {
  const preferences = { ...enginePreferences, ...toolPreferences }
  const parameters = Object.keys(preferences).map((name) => `\`__${name}\``)
  return {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: [
      'Requests a specific answer from the mock; this header is not part of the API. Separate several preferences with commas. Without it, the operation answers as usual.',
      ...Object.values(preferences).map((text) => `- ${text}`),
      `If you cannot set a header, use the query parameters ${parameters.slice(0, -1).join(', ')} and ${parameters.at(-1)} instead.`,
    ].join('\n'),
    schema: { type: 'string' },
  }
}

export const headersOf = (outcome: string): Json => ({
  'X-Mock-Outcome': {
    description: "The outcome: the operation's id and the status. Added by the mock.",
    schema: { type: 'string' },
    example: outcome,
  },
  'X-Mock-Exchange': {
    description: "The id of this exchange in the mock's journal. Added by the mock.",
    schema: { type: 'string' },
    example: 'x1',
  },
})
