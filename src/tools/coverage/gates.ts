import type { Api } from '../../engine/api.js'
import { type CitableTexts, quoteCitation } from '../../engine/contract/citable-texts.js'
import { quote } from '../../engine/contract/wording.js'
import type { FilePlace } from '../../engine/files/invalid-files.js'
import type { LocatedRule } from '../../engine/files/scenario.js'
import { describeCount } from '../../engine/judge/fold-deviations.js'
import type { Coverage, Finding, OutcomeCoverage } from '../report/report.js'
import type { FoldedViolation, OutcomeDeviation, RunReport } from './run-report.js'

export const FAIL_ON = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations', 'not-judged'] as const
type FailOn = (typeof FAIL_ON)[number]

export interface MinCoverage {
  /** Percent of all outcomes. */
  readonly percent: number
  /** Ignores outcomes that were only forced. */
  readonly isNatural: boolean
}

export interface Gates {
  readonly failOn: readonly FailOn[]
  readonly require: readonly string[]
  readonly minCoverage?: MinCoverage | undefined
  readonly allowIdle: boolean
  /** The expected number of runs. */
  readonly shards?: number | undefined
}

/** A rule in a user's scenario, or a whole shipped scenario. */
export interface UnusedRule {
  /** Such as `SCENARIO#2`. */
  readonly name: string
  readonly on: LocatedRule['on']
  readonly place?: FilePlace | undefined
}

export interface FinishedRun {
  readonly run: RunReport
  /** With the switches of the run. */
  readonly api: Api
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
  readonly shardFlaws?: readonly ShardFlaw[]
}

export interface ShardFlaw {
  readonly message: string
  /** Does not fail the run. */
  readonly isAllowed: boolean
}

export interface GateResult {
  readonly gate: string
  readonly state: 'passed' | 'failed' | 'notJudged'
  readonly why?: string
}

type Gate = FailOn | 'require' | 'min-coverage' | 'shards'

/** Omits 'not-judged', which is about the other gates. */
function gatesOf({ failOn, require, minCoverage, shards }: Gates): Exclude<Gate, 'not-judged'>[] {
  return [
    ...failOn.filter((gate) => gate !== 'not-judged'),
    ...(require.length > 0 ? (['require'] as const) : []),
    ...(minCoverage === undefined ? [] : (['min-coverage'] as const)),
    ...(shards === undefined ? [] : (['shards'] as const)),
  ]
}

export const isOfViolations = (gate: Gate) => gate.startsWith('violations')

/** Gates whose findings count even if the command failed. */
const JUDGED_AFTER_FAILURE: readonly Gate[] = ['violations', 'violations:all', 'unmatched', 'deviations']

export function judge({ run, gates }: FinishedRun, findings: readonly Finding[]): readonly GateResult[] {
  return gatesOf(gates).map((gate) => {
    const hasFindings = findings.some(({ basis }) => basis === gate)
    const isIdle = run.calls === 0 && (gate === 'unused' || !gates.allowIdle)
    const findingsCount = gate === 'shards' || (run.failure ? JUDGED_AFTER_FAILURE.includes(gate) : !isIdle)
    if (hasFindings && findingsCount) return { gate, state: 'failed' }
    const why = whyNotJudged(gate, run)
    return why === undefined ? { gate, state: 'passed' } : { gate, state: 'notJudged', why }
  })
}

function whyNotJudged(gate: Gate, run: RunReport): string | undefined {
  const { failure, calls, checked, forwarded, rules } = run
  if (failure) return 'the command did not succeed'
  if (calls === 0) return 'nothing was called'
  if (isOfViolations(gate) && checked === 0)
    return 'every call forced its outcome or was answered with a problem, so no request was checked'
  if (gate === 'unused' && Object.keys(rules).length === 0) return 'no scenario with rules was on'
  return gate === 'deviations' && forwarded === 0 ? 'no call was forwarded to a provider' : undefined
}

/** For the gate 'not-judged'. */
export function unjudgedFindings(results: readonly GateResult[], { run, gates }: FinishedRun): Finding[] {
  if (run.failure || run.calls === 0 || !gates.failOn.includes('not-judged')) return []
  const unjudged = results.filter(({ why }) => why !== undefined)
  return unjudged.map(({ gate, why }) => ({
    basis: 'not-judged',
    name: gate,
    message: `The gate ${gate} was not judged, because ${why}.`,
  }))
}

/** A provider that is down answers all calls with 500, or its gateway answers. */
function hasProviderAnswered({ outcomes, deviations }: RunReport): boolean {
  const ofProvider = Object.entries(outcomes).filter(([, { causes }]) => causes.provider !== undefined)
  return deviations.length > 0 || ofProvider.some(([id]) => !id.endsWith(':500'))
}

export function findingsOf({ run: report, api, gates, unused = [], shardFlaws = [] }: FinishedRun, coverage: Coverage) {
  const { failOn, require, minCoverage } = gates
  // Each violation is reported once.
  const violations = report.violations.filter((one) => !failOn.includes('unmatched') || !isOfUnmatched(one))
  const causes = new Map(report.violations.filter(isOfUnmatched).map((one) => [one.request.split('?', 1)[0], one]))
  const byGate: { readonly [G in Exclude<Gate, 'not-judged'>]: Finding[] } = {
    violations: violations.filter((one) => !isInterpretation(one)).map((one) => violationFinding('violations', one)),
    'violations:all': violations
      .filter((one) => !failOn.includes('violations') || isInterpretation(one))
      .map((one) => violationFinding('violations:all', one)),
    unmatched: Object.entries(report.unmatched).map(([name, count]) => unmatchedFinding(name, count, causes.get(name))),
    unused: unused.map(unusedFinding),
    deviations: [
      // An answer may depart from an interpretation.
      ...report.deviations.filter((one) => !isInterpretation(one)).map((one) => deviationFinding(api, one)),
      ...unansweredFindings(report),
    ],
    require: require.flatMap((required) => requirementFinding(required, coverage)),
    'min-coverage': minCoverage === undefined ? [] : tooFewFinding(minCoverage, coverage),
    shards: shardFlaws.flatMap(({ message, isAllowed }) =>
      isAllowed ? [] : [{ basis: 'shards', name: `${gates.shards} shards`, message }],
    ),
  }
  return gatesOf(gates).flatMap((gate) => byGate[gate])
}

function unusedFinding({ name, on, place }: UnusedRule): Finding {
  const label = name.includes('#') ? `rule ${name}` : `scenario ${name}`
  const message = `The ${label} was on, but answered no request${on === '*' ? '' : ` for ${on.join(' or ')}`}. Send a request that it matches and no earlier rule answers, or switch the scenario off.`
  return { basis: 'unused', name, place, message }
}

/** Returns a finding for each reason. */
function unansweredFindings(report: RunReport): Finding[] {
  const { forwarded, unanswered } = report
  const answers = forwarded - Object.values(unanswered).reduce((sum, count) => sum + count, 0)
  const isDown = answers > 0 && !hasProviderAnswered(report)
  const reasons = Object.entries(unanswered).map(([why, count]) => `${why} (${times(count)})`)
  if (isDown) reasons.push(`The provider answered every request with 500. (${times(answers)})`)
  return reasons.map((reason) => ({
    basis: 'deviations',
    name: 'answers that were not checked',
    message: `${reason} Checked: ${isDown ? 0 : answers} of ${forwarded} answers.`,
  }))
}

function tooFewFinding({ percent, isNatural }: MinCoverage, coverage: Coverage): Finding[] {
  const met = percentOf(coverage, isNatural)
  if (met >= percent) return []
  const metWord = isNatural ? 'met without being forced' : 'met'
  const missing = coverage.outcomes.filter((one) => !isMet(one, isNatural)).map(({ outcome }) => outcome)
  return [
    {
      basis: 'min-coverage',
      name: `${percent} %`,
      message: `${met.toFixed(1)} % of the outcomes were ${metWord}; ${percent} % are required. Not ${metWord}: ${missing.join(', ')}.`,
    },
  ]
}

/** Ends an outcome that must be met without being forced. */
export const NATURAL_SUFFIX = ':natural'

export function outcomeIn(required: string): string {
  return required.endsWith(NATURAL_SUFFIX) ? required.slice(0, -NATURAL_SUFFIX.length) : required
}

function requirementFinding(required: string, { outcomes }: Coverage): Finding[] {
  const id = outcomeIn(required)
  const coverage = outcomes.find(({ outcome }) => outcome === id)
  const isNatural = required.endsWith(NATURAL_SUFFIX)
  if (coverage !== undefined && isMet(coverage, isNatural)) return []
  const message = isNatural
    ? `The outcome ${id} was ${coverage?.forced ? 'only ever forced' : 'never met'}. Send a request that leads to it without being forced.`
    : `The outcome ${id} was never met. Request it in a test, for example with Prefer: code=${id.split(':')[1]}.`
  return [{ basis: 'require', name: required, message }]
}

export const isInterpretation = ({ basis }: { readonly basis: string }) => basis === 'interpretation'

const isMet = ({ count, forced }: OutcomeCoverage, isNatural: boolean) => count > 0 && !(isNatural && forced)

export function countMet({ outcomes }: Coverage, isNatural: boolean): number {
  return outcomes.filter((one) => isMet(one, isNatural)).length
}

export function percentOf(coverage: Coverage, isNatural: boolean): number {
  return (100 * countMet(coverage, isNatural)) / coverage.total
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

/** Returns true for the violation of an unmatched request. */
function isOfUnmatched({ operation, where }: FoldedViolation): boolean {
  return operation === null && ['url', 'method', 'request'].includes(where)
}

function unmatchedFinding(name: string, count: number, cause: FoldedViolation | undefined): Finding {
  if (cause !== undefined) return { ...violationFinding('unmatched', cause, times(count) + inTest(cause)), name }
  const message = `No operation matches ${name} (${times(count)}). 'npx countersign list operations' shows them all.`
  return { basis: 'unmatched', name, message }
}

function violationFinding(basis: string, violation: FoldedViolation, example = exampleOf(violation)): Finding {
  const { operation, code, where, message, refusedWith, fix, corrected, rule } = violation
  const isExpectable = refusedWith !== undefined && !isOfUnmatched(violation)
  return {
    basis,
    place: violation.file === undefined ? undefined : { file: violation.file },
    name: `${operation ?? 'no operation'}: ${code} at ${where}`,
    message: `${message} (${example})`,
    fix,
    ...(isExpectable && { hint: `If the test expects this, send Prefer: expect=${refusedWith}.` }),
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

function deviationFinding(texts: CitableTexts, deviation: OutcomeDeviation): Finding {
  const { where, message, count, of, cites } = deviation
  const inList = describeCount({ where, count, of })
  const example = `${inList === '' ? times(count) : ''}${inTest(deviation)}`.replace(/^, /, '')
  return {
    basis: 'deviations',
    place: deviation.file === undefined ? undefined : { file: deviation.file },
    name: nameOfDeviation(deviation),
    message: `${inList}${message}${example === '' ? '' : ` (${example})`}`,
    rule: quoteCitation(texts, cites[0]),
  }
}
