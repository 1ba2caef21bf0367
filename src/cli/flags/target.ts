import type { FlagTable } from './flag.js'

/** The limits and defaults of the numeric flags. */
export const LIMITS = {
  timeout: { least: 1, most: 600_000, default: 10_000 },
  retries: { least: 0, most: 20, default: 2 },
  'wait-until-up': { least: 0, most: 3_600, default: 0 },
} as const

const numbers = (flag: keyof typeof LIMITS) =>
  `${LIMITS[flag].least} to ${LIMITS[flag].most} (default ${LIMITS[flag].default})`

/** Which provider to call, as which user, and how. */
export const targetFlags = {
  target: { value: 'URL', does: 'Base URL of the provider, such as https://host/base, without a query.' },
  token: { value: 'TOKEN', does: "A user's token, without 'Bearer' (default: COUNTERSIGN_TOKEN)." },
  'token-without-permission': { value: 'TOKEN', does: 'Token of a user who may not manage members, to check the 403.' },
  'allow-writes': { does: 'Also make calls that change something at the provider.' },
  data: { value: 'FILE', does: 'YAML or JSON file with values that exist at the provider.' },
  only: { value: 'OPERATIONS', does: 'Check only these operations, comma-separated: verifyDocument,…' },
  header: { value: "'NAME: VALUE'", several: true, does: 'Header to send with each call.' },
  timeout: { value: 'MS', does: `Milliseconds to wait for an answer: ${numbers('timeout')}.` },
  retries: { value: 'N', does: `How often to retry an unavailable provider: ${numbers('retries')}.` },
  'wait-until-up': {
    value: 'SECONDS',
    does: `Seconds to wait for the provider to come up: ${numbers('wait-until-up')}.`,
  },
} as const satisfies FlagTable
