import type { Coverage } from './coverage.js'
import type { Report } from './report.js'
import { times } from './times.js'

/** What makes an outcome count that only other readings declare. */
const HINT = 'Give the --interpretations or the --config of that run, and it counts.'

/** Outcomes that a report has met and the contracts at hand do not declare: its run had other readings. */
export function foreignOutcomes(report: Report, coverage: Coverage): string[] {
  const declared = new Set(coverage.outcomes.map(({ outcome }) => outcome))
  return Object.keys(report.outcomes).filter((outcome) => !declared.has(outcome))
}

/** Why an outcome that was met does not count. */
export function describeForeign(outcome: string, report: Report): string {
  const met = times(report.outcomes[outcome]?.count ?? 0)
  return `The outcome ${outcome} was met ${met} in a run with other interpretations; under those at hand there is none, and it is not counted. ${HINT}`
}
