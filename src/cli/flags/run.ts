import { FAIL_ON } from '../../coverage/gates.js'
import type { FlagTable } from './flag.js'

/** The gates that a run must pass. */
export const gateFlags = {
  'fail-on': { value: 'LIST', does: `What must not occur in the run, comma-separated: ${FAIL_ON.join(', ')}.` },
  require: { value: 'OUTCOMES', does: 'Outcomes that the run must meet, comma-separated: addOrganizationMember:409,…' },
  'allow-idle': { does: 'Do not fail --fail-on if the run made no calls at all.' },
  'min-coverage': {
    value: 'PERCENT',
    does: 'Percentage of all outcomes that the run must meet, from 0 to 100 (default 0).',
  },
} as const satisfies FlagTable

/** Where to write the reports of a run. */
export const runReportFlags = {
  junit: { value: 'FILE', does: 'Write the gates as JUnit XML.' },
  summary: { value: 'FILE', does: 'Write coverage and failures as markdown.' },
  coverage: { value: 'FILE', does: "Write the coverage as JSON, for 'countersign coverage' to add up." },
} as const satisfies FlagTable
