import { quoteRule } from '../../../schemas/cites.js'
import { type Contract, statusesOf } from '../../../schemas/contract.js'
import type { FilePlace } from '../../mock/text/invalid-files.js'
import { quote } from '../../mock/text/wording.js'
import { countInList } from '../../mock/validation/fold-deviations.js'
import type { Coverage } from '../outcome-coverage.js'
import { type Finding, findingCases, findingSections, type Report, type Table } from '../report.js'
import { coverageOf } from './plugin.js'
import type { FoldedViolation, OutcomeDeviation, RunReport } from './report.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations'] as const
type FailOn = (typeof FAIL_ON)[number]

/** The conditions that a run must meet to pass. */
export interface Gates {
  readonly failOn: readonly FailOn[]
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
  readonly allowIdle: boolean
}

/** A rule that was on and that no request met, and where it is, if it is in a file. */
export interface UnusedRule {
  /** Such as `flaky-network#2`. */
  readonly name: string
  readonly place?: FilePlace
}

/** A finished run, and the gates that it must pass. */
export interface FinishedRun {
  readonly run: RunReport
  readonly contracts: readonly Contract[]
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
  /** How the command failed, as a sentence; undefined if it succeeded. */
  readonly failure?: string | undefined
}

export function gateNames({ failOn, require, minCoverage }: Gates): string[] {
  return [...failOn, ...(require.length > 0 ? ['require'] : []), ...(minCoverage > 0 ? ['min-coverage'] : [])]
}

/** All reasons for which a run fails its gates. */
function failuresOf({ run: report, gates, unused = [] }: FinishedRun, coverage: Coverage): Finding[] {
  const { failOn, require, minCoverage, allowIdle } = gates
  // A violation that several gates name fails once.
  const violations = report.violations.filter((one) => !failOn.includes('unmatched') || !isOfUnmatched(one))
  const isInterpretation = ({ basis }: { readonly basis: string }) => basis === 'interpretation'
  const found: { readonly [G in FailOn]: Finding[] } = {
    violations: violations.filter((one) => !isInterpretation(one)).map((one) => violationFinding('violations', one)),
    'violations:all': violations
      .filter((one) => !failOn.includes('violations') || isInterpretation(one))
      .map((one) => violationFinding('violations:all', one)),
    unmatched: Object.entries(report.unmatched).map(([name, count]) => unmatchedFinding(report, name, count)),
    unused: unused.map(({ name, place }) => ({
      basis: 'unused',
      name,
      place,
      message: `The rule ${name} was on, but no request matched it. Send one that does, or switch the scenario off.`,
    })),
    deviations: [
      // An answer that departs only from one of our interpretations is different, not wrong.
      ...report.deviations.filter((one) => !isInterpretation(one)).map(deviationFinding),
      ...Object.entries(report.unanswered).map(([why, count]) => ({
        basis: 'deviations',
        name: 'the provider did not answer',
        message: `${why} (${times(count)}) These answers could not be checked.`,
      })),
    ],
  }
  const met = new Set(coverage.outcomes.filter(({ count }) => count > 0).map(({ outcome }) => outcome))
  const percent = percentOf(coverage)
  const unmet = coverage.outcomes.filter(({ count }) => count === 0).map(({ outcome }) => outcome)
  const tooFew = {
    basis: 'min-coverage',
    name: `${minCoverage} %`,
    message: `${percent.toFixed(1)} % of the outcomes were met; ${minCoverage} % are required. Not met: ${unmet.join(', ')}.`,
  }
  return [
    ...(failOn.length > 0 && report.calls === 0 && !allowIdle ? [IDLE] : []),
    ...failOn.flatMap((gate) => found[gate]),
    ...require
      .filter((outcome) => !met.has(outcome))
      .map((outcome) => ({
        basis: 'require',
        name: outcome,
        message: `The outcome ${outcome} was never met. Request it in a test, for example with Prefer: code=${outcome.split(':')[1]}.`,
      })),
    ...(percent < minCoverage ? [tooFew] : []),
  ]
}

function percentOf({ covered, total }: Coverage): number {
  return (100 * covered) / total
}

/** A run without calls cannot be judged. */
const IDLE: Finding = {
  basis: 'idle',
  name: 'nothing was called',
  message:
    'No request reached the server, so the gates have nothing to check. Make the client call the base URL in COUNTERSIGN_URL, or pass --allow-idle.',
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** True for the violation that nothing matches the request. */
function isOfUnmatched({ operation, where }: FoldedViolation): boolean {
  return operation === null && ['url', 'method'].includes(where)
}

function unmatchedFinding({ violations }: RunReport, name: string, count: number): Finding {
  // The first request of each kind has its own violation, which says more.
  const why = violations.find((one) => isOfUnmatched(one) && one.request.split('?')[0] === name)
  if (why !== undefined) return { ...violationFinding('unmatched', why, times(count)), name }
  const message = `No operation matches ${name} (${times(count)}). 'countersign list operations' shows them all.`
  return { basis: 'unmatched', name, message }
}

function violationFinding(basis: string, violation: FoldedViolation, often = firstOf(violation)): Finding {
  const { operation, code, where, message, refusedWith, fix, corrected, rule } = violation
  const isExpectable = refusedWith !== undefined && !isOfUnmatched(violation)
  const expect = isExpectable ? ` If the test expects this, send Prefer: expect=${refusedWith}.` : ''
  return {
    basis,
    name: `${operation ?? 'no operation'}: ${code} at ${where}`,
    message: `${message} (${often})`,
    fix: `${fix}${expect}`,
    corrected,
    rule,
  }
}

function firstOf({ count, request, test }: FoldedViolation): string {
  return `${times(count)}, first in ${request}${test === undefined ? '' : `, in the test ${quote(test)}`}`
}

function deviationFinding({ outcome, code, where, message, count, of, cites: [cite] }: OutcomeDeviation): Finding {
  const inList = countInList({ where, count, of })
  return {
    basis: 'deviations',
    name: `${outcome ? `${outcome}: ` : ''}${code} at ${where}`,
    message: inList === '' ? `${message} (${times(count)})` : `${inList}${message}`,
    rule: quoteRule(cite),
  }
}

/** Holds a run against its gates; the findings are the gates that it fails. */
export function gatesReport(finished: FinishedRun): Report {
  const { run, contracts, gates, failure } = finished
  const coverage = coverageOf(contracts, run.outcomes)
  const failures = failuresOf(finished, coverage)
  const passed = gateNames(gates).filter((gate) => !failures.some(({ basis }) => basis === gate))
  const command = failure === undefined ? [] : [{ basis: 'command', message: failure }]
  const hints = hintsOf(run, gates)
  // If the command failed and no gate was set, nothing is praised.
  const praise = failure === undefined || gateNames(gates).length > 0 ? ['✅ The client passes every gate.'] : []
  return {
    title: 'countersign',
    verdicts: [
      ...command.map(({ message }) => `❌ ${message}`),
      ...(failures.length > 0 ? [`❌ ${countOf(failures)}`] : praise),
      ...hints.map((hint) => `⚠️ ${hint}`),
    ],
    findings: failures,
    sections: findingSections(failures),
    table: tableOf(contracts, coverage),
    summary: `${coverage.covered} of ${coverage.total} outcomes met (${percentOf(coverage).toFixed(1)} %)`,
    notes: hints,
    suites: {
      countersign: [
        ...findingCases([...command, ...failures]),
        ...hints.map((note) => ({ classname: 'countersign.hint', name: 'hint', note })),
        ...passed.map((gate) => ({ classname: `countersign.${gate}`, name: gate })),
      ],
    },
    data: run,
  }
}

export function countOf(failures: readonly Finding[]): string {
  return `${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`
}

/** Advice about requests that the gates do not count, or cannot judge. */
function hintsOf({ violations, calls, root }: RunReport, { failOn }: Gates): readonly string[] {
  const left = violations.reduce((sum, { basis, count }) => (basis === 'interpretation' ? sum + count : sum), 0)
  const isLeft = left > 0 && failOn.includes('violations') && !failOn.includes('violations:all')
  return [
    ...(isLeft
      ? [`Violations of interpretations alone are not counted (${left}): --fail-on violations:all counts them.`]
      : []),
    ...(root > 0 && root < calls
      ? [`${root} of ${calls} requests reached the root, not a sandbox: is /~NAME dropped from their URL?`]
      : []),
  ]
}

/** Operations by statuses: how often each outcome was met, undefined where it is not declared. */
function tableOf(contracts: readonly Contract[], { outcomes }: Coverage): Table {
  const counts = new Map(outcomes.map(({ outcome, count }) => [outcome, count]))
  const statuses = [...new Set(contracts.flatMap(statusesOf))].sort().map(String)
  const rows = contracts.map(({ id }) => [id, ...statuses.map((status) => counts.get(`${id}:${status}`))])
  return { head: ['operation', ...statuses], rows }
}
