import { type Coverage, percentCovered, uncoveredOutcomes } from './coverage.js'
import { describeForeign, foreignOutcomes } from './foreign-outcomes.js'
import type { Report } from './report.js'
import { times } from './times.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** What a run must fulfil. */
export interface Gates {
  readonly failOn: readonly FailOn[]
  /** Outcomes that must have been met. */
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
}

/** One thing for which a run fails a gate, and how to fix it. */
export interface GateFailure {
  readonly gate: string
  readonly name: string
  readonly message: string
}

/** Everything for which a run fails its gates; `unused` lists the rules that no request matched. */
export function failuresOf(
  report: Report,
  coverage: Coverage,
  { failOn, require, minCoverage }: Gates,
  unused: readonly string[],
): GateFailure[] {
  const checks: { readonly [G in FailOn]: () => GateFailure[] } = {
    violations: () =>
      violationsOf(
        'violations',
        report.violations.filter(({ basis }) => basis !== 'reading'),
      ),
    'violations:all': () => violationsOf('violations:all', report.violations),
    unmatched: () =>
      Object.entries(report.unmatched).map(([request, count]) => ({
        gate: 'unmatched',
        name: request,
        message: `No operation matches ${request} (${times(count)}). 'countersign list operations' shows what there is.`,
      })),
    unused: () =>
      unused.map((rule) => ({
        gate: 'unused',
        name: rule,
        message: `The rule ${rule} was on, and no request matched it. Send one that does, or switch the scenario off.`,
      })),
    deviations: () => [
      ...report.deviations.filter(isDocumented).map((one) => ({
        gate: 'deviations',
        name: `${one.outcome}: ${one.code} at ${one.where}`,
        message: `${one.message} (${times(one.count)})`,
      })),
      ...unansweredOf(report),
    ],
  }
  const missing = require.filter((outcome) => !report.outcomes[outcome]?.count)
  const foreign = foreignOutcomes(report, coverage).filter((outcome) => require.includes(outcome))
  const percent = percentCovered(coverage)
  return [
    ...failOn.flatMap((gate) => checks[gate]()),
    ...missing.map((outcome) => ({
      gate: 'require',
      name: outcome,
      message: `The outcome ${outcome} was never met. Have a test ask for it, as with Prefer: code=${outcome.split(':')[1]}.`,
    })),
    ...foreign.map((outcome) => ({ gate: 'require', name: outcome, message: describeForeign(outcome, report) })),
    ...(percent < minCoverage
      ? [
          {
            gate: 'min-coverage',
            name: `${minCoverage} %`,
            message: `${percent.toFixed(1)} % of the outcomes were met, ${minCoverage} % are required. Not met: ${uncoveredOutcomes(coverage).join(', ')}.`,
          },
        ]
      : []),
  ]
}

/** What a provider did not answer says nothing of how it answers. */
function unansweredOf({ unanswered = {} }: Partial<Report>): GateFailure[] {
  return Object.entries(unanswered).map(([why, count]) => ({
    gate: 'deviations',
    name: 'the provider did not answer',
    message: `${why} (${times(count)}) Nothing is known of these answers.`,
  }))
}

/** What departs from a reading of ours alone is different, and not wrong. Reports of earlier versions say nothing of it. */
function isDocumented({ basis }: Report['deviations'][number]): boolean {
  return basis !== 'reading'
}

function violationsOf(gate: string, violations: Report['violations']): GateFailure[] {
  return violations.map((one) => ({
    gate,
    name: `${one.operation ?? 'no operation'}: ${one.code} at ${one.where}`,
    message: `${one.message} (${times(one.count)}, first in ${one.request}) Fix: ${one.fix}${one.rule === undefined ? '' : ` Rule: ${one.rule}`}`,
  }))
}
