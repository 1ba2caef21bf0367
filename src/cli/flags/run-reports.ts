import type { FlagTable } from './flag.js'

/** Where the reports of a run go. */
export const runReportFlags = {
  junit: { value: 'FILE', does: 'Write the gates as JUnit XML.' },
  summary: { value: 'FILE', does: 'Write coverage and failures as markdown.' },
  coverage: { value: 'FILE', does: "Write what was met as JSON, for 'countersign coverage' to add up." },
} as const satisfies FlagTable
