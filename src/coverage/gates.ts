import { textOf } from '../../schemas/cites.js'
import type { FilePlace } from '../text/invalid-files.js'
import { type Finding, times } from '../text/report.js'
import { quote } from '../text/wording.js'
import { countInList } from '../validation/fold-deviations.js'
import { type Coverage, percentCovered, uncoveredOutcomes } from './coverage.js'
import type { FoldedDeviation, FoldedViolation, RunReport } from './report.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations'] as const
type FailOn = (typeof FAIL_ON)[number]

/** What a run must meet to pass. */
export interface Gates {
  readonly failOn: readonly FailOn[]
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
  readonly allowIdle: boolean
}

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
  // What several gates name fails once.
  const violations = report.violations.filter((one) => !failOn.includes('unmatched') || !isOfUnmatched(one))
  const isUntold = (one: FoldedViolation) => !failOn.includes('violations') || one.basis === 'interpretation'
  const checks: { readonly [G in FailOn]: () => Finding[] } = {
    violations: () =>
      violations.filter(({ basis }) => basis !== 'interpretation').map((one) => violationOf('violations', one)),
    'violations:all': () => violations.filter(isUntold).map((one) => violationOf('violations:all', one)),
    unmatched: () => Object.entries(report.unmatched).map(([name, count]) => unmatchedOf(report, name, count)),
    unused: () =>
      unused.map(({ name, place }) => ({
        basis: 'unused',
        name,
        place,
        message: `The rule ${name} was on, but no request matched it. Send one that does, or switch the scenario off.`,
      })),
    deviations: () => [
      // What departs only from one of our interpretations is different, not wrong.
      ...report.deviations.filter(({ basis }) => basis !== 'interpretation').map(deviationOf),
      ...Object.entries(report.unanswered).map(([why, count]) => ({
        basis: 'deviations',
        name: 'the provider did not answer',
        message: `${why} (${times(count)}) Nothing is known about these answers.`,
      })),
    ],
  }
  const missing = require.filter(
    (outcome) => !coverage.outcomes.some((one) => one.outcome === outcome && one.count > 0),
  )
  const percent = percentCovered(coverage)
  const tooFew = {
    basis: 'min-coverage',
    name: `${minCoverage} %`,
    message: `${percent.toFixed(1)} % of the outcomes were met; ${minCoverage} % are required. Not met: ${uncoveredOutcomes(coverage).join(', ')}.`,
  }
  return [
    ...(failOn.length > 0 && report.calls === 0 && !allowIdle ? [IDLE] : []),
    ...failOn.flatMap((gate) => checks[gate]()),
    ...missing.map((outcome) => ({
      basis: 'require',
      name: outcome,
      message: `The outcome ${outcome} was never met. Request it in a test, for example with Prefer: code=${outcome.split(':')[1]}.`,
    })),
    ...(percent < minCoverage ? [tooFew] : []),
  ]
}

/** What the gates leave uncounted or cannot judge, and what to do about it. */
export function hintsOf({ violations, calls, root }: RunReport, { failOn }: Gates): readonly string[] {
  const isCounted = !failOn.includes('violations') || failOn.includes('violations:all')
  const left = violations.reduce((sum, { basis, count }) => (basis === 'interpretation' ? sum + count : sum), 0)
  return [
    ...(isCounted || left === 0
      ? []
      : [
          `${left} ${left === 1 ? 'violation rests' : 'violations rest'} on interpretations alone, and not counted: --fail-on violations:all counts ${left === 1 ? 'it' : 'them'}.`,
        ]),
    ...(root === 0 || root === calls
      ? []
      : [`${root} of ${calls} requests reached the root, not a sandbox: is /~NAME dropped from their URL?`]),
  ]
}

/** A run without calls cannot be judged. */
const IDLE: Finding = {
  basis: 'idle',
  name: 'nothing was called',
  message:
    'No request reached the server, so the gates have nothing to check. Make the client call the base URL in COUNTERSIGN_URL, or pass --allow-idle.',
}

/** Whether a violation is that nothing matches the request. */
function isOfUnmatched({ operation, where }: FoldedViolation): boolean {
  return operation === null && ['url', 'method'].includes(where)
}

/** The first request of each kind has a violation of its own, which says more. */
function unmatchedOf({ violations }: RunReport, name: string, count: number): Finding {
  const why = violations.find((one) => isOfUnmatched(one) && one.request.split('?')[0] === name)
  const message = `No operation matches ${name} (${times(count)}). 'countersign list operations' shows them all.`
  if (why === undefined) return { basis: 'unmatched', name, message }
  return { ...violationOf('unmatched', why), about: undefined, name, count, request: undefined }
}

function violationOf(basis: string, violation: FoldedViolation): Finding {
  const { operation, code, where, message, count, request, test, refusedWith, fix, corrected, rule } = violation
  const about = operation ?? 'no operation'
  const meant = refusedWith && ` If the test expects to be refused, send Prefer: expect=${refusedWith}.`
  return {
    basis,
    about,
    name: `${code} at ${where}`,
    message: `${message}${meant ?? ''}`,
    count,
    request: test === undefined ? request : `${request}, in the test ${quote(test)}`,
    fix,
    corrected,
    rule,
  }
}

function deviationOf({ outcome, code, where, message, count, of, cites }: FoldedDeviation): Finding {
  const [cite] = cites
  const rule = cite && `${cite}: ${textOf(cite)}`
  const own = { basis: 'deviations', about: outcome || undefined, name: `${code} at ${where}`, rule }
  const inList = countInList({ where, count, of })
  return inList === '' ? { ...own, message, count } : { ...own, message: `${inList}${message}` }
}
