import { type Cite, textOf } from '../../schemas/cites.js'
import type { FilePlace } from '../text/invalid-files.js'
import { type Finding, times } from '../text/report.js'
import { type Coverage, percentCovered, uncoveredOutcomes } from './coverage.js'
import type { RunReport } from './report.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** What a run must meet to pass. */
export interface Gates {
  readonly failOn: readonly FailOn[]
  /** Outcomes that must have been met. */
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
  /** Whether a run that calls nothing passes. */
  readonly allowIdle: boolean
}

/** The gates that are set. */
export function gateNames({ failOn, require, minCoverage }: Gates): string[] {
  return [...failOn, ...(require.length > 0 ? ['require'] : []), ...(minCoverage > 0 ? ['min-coverage'] : [])]
}

/** A rule that was on and that no request met, and where it is, if it is in a file. */
export interface UnusedRule {
  /** Such as `flaky-network#2`. */
  readonly name: string
  readonly place?: FilePlace
}

/** All reasons for which a run fails its gates. */
export function failuresOf(
  report: RunReport,
  coverage: Coverage,
  { failOn, require, minCoverage, allowIdle }: Gates,
  unused: readonly UnusedRule[],
): Finding[] {
  const checks: { readonly [G in FailOn]: () => Finding[] } = {
    violations: () => violationsOf('violations', violations.filter(isSure)),
    'violations:all': () =>
      violationsOf(
        'violations:all',
        failOn.includes('violations') ? violations.filter((one) => !isSure(one)) : violations,
      ),
    unmatched: () => Object.entries(report.unmatched).map((one) => unmatchedOf(report, one)),
    unused: () =>
      unused.map(({ name, place }) => ({
        basis: 'unused',
        name,
        ...(place !== undefined && { place }),
        message: `The rule ${name} was on, but no request matched it. Send one that does, or switch the scenario off.`,
      })),
    deviations: () => [
      ...report.deviations.filter(isDocumented).map((one) => ({
        basis: 'deviations',
        ...(one.outcome !== '' && { about: one.outcome }),
        name: `${one.code} at ${one.where}`,
        message: one.message,
        count: one.count,
        ...ruleOf(one.cites),
      })),
      ...unansweredOf(report),
    ],
  }
  // What several gates name fails once.
  const violations = report.violations.filter((one) => !failOn.includes('unmatched') || !isOfUnmatched(one))
  const missing = require.filter((outcome) => !report.outcomes[outcome]?.count)
  const foreign = foreignOutcomes(report, coverage).filter((outcome) => require.includes(outcome))
  const percent = percentCovered(coverage)
  return [
    ...(failOn.length > 0 && report.calls === 0 && !allowIdle ? [IDLE] : []),
    ...failOn.flatMap((gate) => checks[gate]()),
    ...missing.map((outcome) => ({
      basis: 'require',
      name: outcome,
      message: `The outcome ${outcome} was never met. Request it in a test, for example with Prefer: code=${outcome.split(':')[1]}.`,
    })),
    ...foreign.map((outcome) => ({ basis: 'require', name: outcome, message: describeForeign(outcome, report) })),
    ...(percent < minCoverage
      ? [
          {
            basis: 'min-coverage',
            name: `${minCoverage} %`,
            message: `${percent.toFixed(1)} % of the outcomes were met; ${minCoverage} % are required. Not met: ${uncoveredOutcomes(coverage).join(', ')}.`,
          },
        ]
      : []),
  ]
}

/** A run without calls cannot be judged. */
const IDLE: Finding = {
  basis: 'idle',
  name: 'nothing was called',
  message:
    'No request reached the server, so the gates have nothing to check. Make the client call the base URL in COUNTERSIGN_URL, or pass --allow-idle.',
}

function isSure({ basis }: RunReport['violations'][number]): boolean {
  return basis !== 'reading'
}

/** Whether a violation is that nothing matches the request. */
function isOfUnmatched({ operation, where }: RunReport['violations'][number]): boolean {
  return operation === null && ['url', 'method'].includes(where)
}

/** The first request of each kind has a violation of its own, which says more. */
function unmatchedOf({ violations }: RunReport, [name, count]: [string, number]): Finding {
  const failure = { basis: 'unmatched', name: name }
  const why = violations.find((one) => isOfUnmatched(one) && one.request.split('?')[0] === name)
  if (why !== undefined) return { ...failure, message: why.message, count, ...remedyOf(why) }
  const message = `No operation matches ${name} (${times(count)}). 'countersign list operations' shows them all.`
  return { ...failure, message }
}

/** Calls that the provider did not answer say nothing about its answers. */
function unansweredOf({ unanswered = {} }: Partial<RunReport>): Finding[] {
  return Object.entries(unanswered).map(([why, count]) => ({
    basis: 'deviations',
    name: 'the provider did not answer',
    message: `${why} (${times(count)}) Nothing is known about these answers.`,
  }))
}

/** What departs only from one of our readings is different, not wrong. Reports of earlier versions do not say which. */
function isDocumented({ basis }: RunReport['deviations'][number]): boolean {
  return basis !== 'reading'
}

/** The text of the first cite. Reports of earlier versions have no cites. */
function ruleOf([cite]: readonly Cite[] = []): Pick<Finding, 'rule'> {
  return cite === undefined ? {} : { rule: `${cite}: ${textOf(cite)}` }
}

function violationsOf(gate: string, violations: RunReport['violations']): Finding[] {
  return violations.map((one) => ({
    basis: gate,
    about: one.operation ?? 'no operation',
    name: `${one.code} at ${one.where}`,
    message: one.message,
    count: one.count,
    request: one.request,
    ...remedyOf(one),
  }))
}

function remedyOf({
  fix,
  corrected,
  rule,
}: RunReport['violations'][number]): Pick<Finding, 'fix' | 'corrected' | 'rule'> {
  return { fix, ...(corrected !== undefined && { corrected }), ...(rule !== undefined && { rule }) }
}

/** Outcomes in a report that the current contracts do not declare, because its run had other readings. */
export function foreignOutcomes(report: RunReport, coverage: Coverage): string[] {
  const declared = new Set(coverage.outcomes.map(({ outcome }) => outcome))
  return Object.keys(report.outcomes).filter((outcome) => !declared.has(outcome))
}

/** Why an outcome that was met does not count. */
export function describeForeign(outcome: string, report: RunReport): string {
  const met = times(report.outcomes[outcome]?.count ?? 0)
  return `The outcome ${outcome} was met ${met} in a run with other interpretations. The current interpretations do not declare it, so it is not counted. To count it, pass the --config of that run.`
}
