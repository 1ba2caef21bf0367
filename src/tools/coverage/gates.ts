import type { Api } from '../../engine/api.js'
import { quoteRule, type Rules } from '../../engine/contract/rules.js'
import { quote } from '../../engine/contract/wording.js'
import type { FilePlace } from '../../engine/files/invalid-files.js'
import type { LocatedRule } from '../../engine/files/scenario.js'
import { countInList } from '../../engine/judge/fold-deviations.js'
import type { Coverage } from '../report/outcome-coverage.js'
import type { Finding } from '../report/report.js'
import type { FoldedViolation, OutcomeDeviation, RunReport } from './report.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations'] as const
type FailOn = (typeof FAIL_ON)[number]

export interface Gates {
  readonly failOn: readonly FailOn[]
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
  readonly allowIdle: boolean
}

/** A rule that was on and that no request met, and where it is, if it is in a file. */
export interface UnusedRule {
  /** Such as `SCENARIO#2`. */
  readonly name: string
  readonly on: LocatedRule['on']
  readonly place?: FilePlace
}

export interface FinishedRun {
  readonly run: RunReport
  /** With the contracts under the interpretations of the run. */
  readonly api: Api
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
}

/** What became of a gate; one that had nothing to look at, or not all of it, is not judged. */
export interface GateResult {
  readonly gate: string
  readonly state: 'passed' | 'failed' | 'notJudged'
  readonly why?: string
}

type Gate = FailOn | 'require' | 'min-coverage'

function gatesOf({ failOn, require, minCoverage }: Gates): Gate[] {
  const required: Gate[] = require.length > 0 ? ['require'] : []
  return [...failOn, ...required, ...(minCoverage > 0 ? (['min-coverage'] as const) : [])]
}

export const isOfViolations = (gate: Gate) => gate.startsWith('violations')

/** The gates whose findings stand, even if the command failed later. */
const STANDING: readonly Gate[] = ['violations', 'violations:all', 'unmatched', 'deviations']

export function judge(finished: FinishedRun, findings: readonly Finding[]): readonly GateResult[] {
  const { run, gates } = finished
  return gatesOf(gates).map((gate) => {
    const isFound = findings.some(({ basis }) => basis === gate)
    const isIdle = run.calls === 0 && (gate === 'unused' || !gates.allowIdle)
    const stands = run.failure ? STANDING.includes(gate) : !isIdle
    if (isFound && stands) return { gate, state: 'failed' }
    const why = whyNotJudged(gate, run)
    return why === undefined ? { gate, state: 'passed' } : { gate, state: 'notJudged', why }
  })
}

function whyNotJudged(gate: Gate, run: RunReport): string | undefined {
  const { failure, calls, checked, forwarded, rules } = run
  if (failure) return 'the command did not succeed'
  if (calls === 0) return 'nothing was called'
  if (isOfViolations(gate) && checked === 0) return 'every answer was forced or a problem, so no request was checked'
  if (gate === 'unused' && Object.keys(rules).length === 0) return 'no scenario was on'
  if (gate === 'deviations' && forwarded === 0) return 'no call was forwarded to a provider'
  const isSeen = gate !== 'deviations' || isProviderSeen(run)
  return isSeen ? undefined : 'the provider answered with 500 or as a gateway, and no more'
}

/** A provider that is down answers 500, or as a gateway, which no outcome but 500 declares. */
function isProviderSeen({ outcomes, deviations }: RunReport): boolean {
  const met = Object.entries(outcomes).some(([id, { causes }]) => causes.provider !== undefined && !id.endsWith(':500'))
  return met || deviations.length > 0
}

export function findingsOf({ run: report, api, gates, unused = [] }: FinishedRun, coverage: Coverage): Finding[] {
  const { failOn, require, minCoverage } = gates
  // A violation that several gates name fails once.
  const violations = report.violations.filter((one) => !failOn.includes('unmatched') || !isOfUnmatched(one))
  const why = new Map(report.violations.filter(isOfUnmatched).map((one) => [one.request.split('?', 1)[0], one]))
  const percent = percentOf(coverage)
  const unmet = coverage.outcomes.filter(({ count }) => count === 0).map(({ outcome }) => outcome)
  const tooFew = {
    basis: 'min-coverage',
    name: `${minCoverage} %`,
    message: `${percent.toFixed(1)} % of the outcomes were met; ${minCoverage} % are required. Not met: ${unmet.join(', ')}.`,
  }
  const found: { readonly [G in Gate]: Finding[] } = {
    violations: violations.filter((one) => !isInterpretation(one)).map((one) => violationFinding('violations', one)),
    'violations:all': violations
      .filter((one) => !failOn.includes('violations') || isInterpretation(one))
      .map((one) => violationFinding('violations:all', one)),
    unmatched: Object.entries(report.unmatched).map(([name, count]) => unmatchedFinding(why.get(name), name, count)),
    unused: unused.map(({ name, on, place }) => ({
      basis: 'unused',
      name,
      place,
      message: `The rule ${name} was on, but no request${on === '*' ? '' : ` for ${on.join(' or ')}`} matched it. Send one that does, or switch the scenario off.`,
    })),
    deviations: [
      // An answer that departs only from one of our interpretations is different, not wrong.
      ...report.deviations.filter((one) => !isInterpretation(one)).map((one) => deviationFinding(api, one)),
      ...Object.entries(report.unanswered).map(([why, count]) => ({
        basis: 'deviations',
        name: 'the provider did not answer',
        message: `${why} (${times(count)}) These answers could not be checked.`,
      })),
    ],
    require: require.flatMap((required) => requirementFinding(required, coverage)),
    'min-coverage': percent < minCoverage ? [tooFew] : [],
  }
  return gatesOf(gates).flatMap((gate) => found[gate])
}

/** Ends a required outcome that must be met without being forced. */
export const NATURAL = ':natural'

/** The outcome of a requirement such as `addOrder:409:natural`. */
export function outcomeIn(required: string): string {
  return required.endsWith(NATURAL) ? required.slice(0, -NATURAL.length) : required
}

function requirementFinding(required: string, { outcomes }: Coverage): Finding[] {
  const id = outcomeIn(required)
  const { count = 0, forced = false } = outcomes.find(({ outcome }) => outcome === id) ?? {}
  const isNatural = required.endsWith(NATURAL)
  if (count > 0 && !(isNatural && forced)) return []
  const message = isNatural
    ? `The outcome ${id} was ${count > 0 ? 'only ever forced' : 'never met'}. Send a request that leads to it by itself.`
    : `The outcome ${id} was never met. Request it in a test, for example with Prefer: code=${id.split(':')[1]}.`
  return [{ basis: 'require', name: required, message }]
}

export const isInterpretation = ({ basis }: { readonly basis: string }) => basis === 'interpretation'
export const percentOf = ({ covered, total }: Coverage) => (100 * covered) / total
const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

/** True for the violation that nothing matches the request. */
function isOfUnmatched({ operation, where }: FoldedViolation): boolean {
  return operation === null && ['url', 'method'].includes(where)
}

function unmatchedFinding(why: FoldedViolation | undefined, name: string, count: number): Finding {
  if (why !== undefined) return { ...violationFinding('unmatched', why, times(count) + inTest(why)), name }
  const message = `No operation matches ${name} (${times(count)}). 'countersign list operations' shows them all.`
  return { basis: 'unmatched', name, message }
}

function violationFinding(basis: string, violation: FoldedViolation, often = exampleOf(violation)): Finding {
  const { operation, code, where, message, refusedWith, fix, corrected, rule } = violation
  const isExpectable = refusedWith !== undefined && !isOfUnmatched(violation)
  const expect = isExpectable ? ` If the test expects this, send Prefer: expect=${refusedWith}.` : ''
  return {
    basis,
    place: violation.file === undefined ? undefined : { file: violation.file },
    name: `${operation ?? 'no operation'}: ${code} at ${where}`,
    message: `${message} (${often})`,
    fix: `${fix}${expect}`,
    corrected,
    rule,
  }
}

function exampleOf({ count, request, test }: FoldedViolation): string {
  return `${times(count)}, ${count === 1 ? '' : 'for example '}in ${request}${inTest({ test })}`
}

function inTest({ test }: Pick<FoldedViolation, 'test'>): string {
  return test === undefined ? '' : `, in the test ${quote(test)}`
}

export function nameOfDeviation({ outcome, code, where }: OutcomeDeviation): string {
  return `${outcome ? `${outcome}: ` : ''}${code} at ${where}`
}

function deviationFinding(rules: Rules, deviation: OutcomeDeviation): Finding {
  const { where, message, count, of, cites } = deviation
  const inList = countInList({ where, count, of })
  const often = `${inList === '' ? times(count) : ''}${inTest(deviation)}`.replace(/^, /, '')
  return {
    basis: 'deviations',
    place: deviation.file === undefined ? undefined : { file: deviation.file },
    name: nameOfDeviation(deviation),
    message: `${inList}${message}${often === '' ? '' : ` (${often})`}`,
    rule: quoteRule(rules, cites[0]),
  }
}
