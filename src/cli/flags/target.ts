import type { FlagTable } from './flag.js'

/** What the numbers among the flags may be, and what they are otherwise. */
export const LIMITS = {
  timeout: { least: 1, most: 600_000, default: 10_000 },
  retries: { least: 0, most: 20, default: 2 },
  'wait-until-up': { least: 0, most: 3_600, default: 0 },
} as const

const numbers = (flag: keyof typeof LIMITS) =>
  `${LIMITS[flag].least} to ${LIMITS[flag].most} (default ${LIMITS[flag].default})`

/** Which provider is looked at, as whom, and how. */
export const targetFlags = {
  target: { value: 'URL', does: 'Base address of the deployment, such as https://host/base, without a query.' },
  token: { value: 'TOKEN', does: "A user's token, without 'Bearer' (default: COUNTERSIGN_TOKEN)." },
  'token-without-permission': { value: 'TOKEN', does: 'Token of a user who may not manage members, for the 403.' },
  'allow-writes': { does: 'Also call what changes something at the deployment.' },
  data: { value: 'FILE', does: 'YAML or JSON file with values that exist at the deployment.' },
  only: { value: 'OPERATIONS', does: 'Look at these operations alone, comma-joined: verifyDocument,…' },
  header: { value: "'NAME: VALUE'", several: true, does: 'Header to send with each call.' },
  timeout: { value: 'MS', does: `Milliseconds to wait for an answer: ${numbers('timeout')}.` },
  retries: { value: 'N', does: `Times that an unavailable service is asked again: ${numbers('retries')}.` },
  'wait-until-up': { value: 'SECONDS', does: `Time that it may take to come up: ${numbers('wait-until-up')}.` },
} as const satisfies FlagTable
