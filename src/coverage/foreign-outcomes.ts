import type { Coverage } from './coverage.js'
import type { Report } from './report.js'
import { times } from './times.js'

/** How to count an outcome that only other readings declare. */
const HINT = 'To count it, pass the --config of that run.'

/** Outcomes in a report that the current contracts do not declare, because its run had other readings. */
export function foreignOutcomes(report: Report, coverage: Coverage): string[] {
  const declared = new Set(coverage.outcomes.map(({ outcome }) => outcome))
  return Object.keys(report.outcomes).filter((outcome) => !declared.has(outcome))
}

/** Why an outcome that was met does not count. */
export function describeForeign(outcome: string, report: Report): string {
  const met = times(report.outcomes[outcome]?.count ?? 0)
  return `The outcome ${outcome} was met ${met} in a run with other interpretations. The current interpretations do not declare it, so it is not counted. ${HINT}`
}
