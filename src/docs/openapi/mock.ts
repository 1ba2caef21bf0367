import { GATEWAY_STATUSES } from '../../../schemas/gateway.js'
import { FAULTS, LONGEST_DELAY } from '../../../schemas/scenario.js'
import type { Json } from './versions.js'

/**
 * The `Prefer` header (RFC 7240). It has no pattern and no example on purpose: importers and fuzzers send what they
 * find, and would force outcomes that nobody asked for, while what the mock does not know it ignores.
 */
export const prefer: Json = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: [
    'Asks the mock, not the API, for an answer; several are joined by commas. Without it the operation answers by itself.',
    `- \`code=409\`: the outcome of that status, which the operation must declare, or ${GATEWAY_STATUSES.join(', ')} as a gateway answers; it beats all checks.`,
    `- \`delay=1500\`: milliseconds to hold the answer back, up to ${LONGEST_DELAY}.`,
    '- `scenario=NAME`: the scenario of that name, for this request.',
    `- \`fault=NAME\`: a connection that fails, one of ${FAULTS.map((fault) => `\`${fault}\``).join(', ')}.`,
    '- `expect=400`: the status that the test means to get; its violations are not counted then.',
    '- `vary`: what the API document leaves open varies in the answer, with or without a value; `openapi.json?vary=true` describes such answers.',
    'Where no header can be set, the query parameters `__code`, `__delay`, `__scenario`, `__fault`, `__expect` and `__vary` do the same.',
  ].join('\n'),
  schema: { type: 'string' },
}

/** The header that differs from answer to answer. */
export const outcomeHeader = (outcome: string): Json => ({
  'X-Mock-Outcome': {
    description: "The outcome: the operation's id and the status. Added by the mock.",
    schema: { type: 'string' },
    example: outcome,
  },
})

/** The headers that the mock adds to every answer of the API alike. */
export const mockHeaders: Readonly<Record<string, Json>> = {
  'X-Mock-Exchange': {
    description: "The id of this exchange in the mock's journal. Added by the mock.",
    schema: { type: 'string' },
    example: 'x1',
  },
}

/** Each mock header, by reference. */
export const mockHeaderReferences: Json = Object.fromEntries(
  Object.keys(mockHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)
