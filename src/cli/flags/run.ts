import { FAIL_ON } from '../../coverage/gates.js'
import type { FlagTable } from './flag.js'

/** What a run must fulfil. */
export const gateFlags = {
  'fail-on': { value: 'LIST', does: `What a run must not have, comma-joined: ${FAIL_ON.join(', ')}.` },
  require: { value: 'OUTCOMES', does: 'Outcomes that must have been met, comma-joined: addOrganizationMember:409,…' },
  'allow-idle': { does: 'Pass --fail-on though nothing was called, which otherwise is a failure.' },
  'min-coverage': { value: 'PERCENT', does: 'How many of all outcomes must have been met, from 0 to 100 (default 0).' },
} as const satisfies FlagTable

/** Where the reports of a run go. */
export const runReportFlags = {
  junit: { value: 'FILE', does: 'Write the gates as JUnit XML.' },
  summary: { value: 'FILE', does: 'Write coverage and failures as markdown.' },
  coverage: { value: 'FILE', does: "Write what was met as JSON, for 'countersign coverage' to add up." },
} as const satisfies FlagTable
