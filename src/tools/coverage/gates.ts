import { quoteRule } from '../../../schemas/cites.js'
import { type Contract, outcomeIdsOf, statusesOf } from '../../../schemas/contract.js'
import type { ReadyRule } from '../../mock/sandbox/scenarios/scenario.js'
import { groupBy } from '../../mock/text/group-by.js'
import type { FilePlace } from '../../mock/text/invalid-files.js'
import { quote } from '../../mock/text/wording.js'
import { countInList } from '../../mock/validation/fold-deviations.js'
import type { Coverage } from '../outcome-coverage.js'
import { type Finding, findingCases, findingSections, type Report, type Table } from '../report.js'
import { coverageOf } from './plugin.js'
import { type FoldedViolation, type OutcomeDeviation, type RunReport, sortedReport, UNMET } from './report.js'

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
  readonly on: ReadyRule['on']
  readonly place?: FilePlace
}

/** A finished run, and the gates that it must pass. */
export interface FinishedRun {
  readonly run: RunReport
  readonly contracts: readonly Contract[]
  readonly gates: Gates
  readonly unused?: readonly UnusedRule[]
}

/** What became of a gate; one that had nothing to look at, or not all of it, is not judged. */
export interface GateResult {
  readonly gate: string
  readonly state: 'passed' | 'failed' | 'notJudged'
  /** Why it was not judged. */
  readonly why?: string
}

type Gate = FailOn | 'require' | 'min-coverage'

function gatesOf({ failOn, require, minCoverage }: Gates): Gate[] {
  const others = { require: require.length > 0, 'min-coverage': minCoverage > 0 }
  return [...failOn, ...(['require', 'min-coverage'] as const).filter((gate) => others[gate])]
}

/** The gates whose findings stand, even if the command failed later. */
const STANDING: readonly Gate[] = ['violations', 'violations:all', 'unmatched', 'deviations']

function judge(finished: FinishedRun, findings: readonly Finding[]): readonly GateResult[] {
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
  if (gate.startsWith('violations') && checked === 0)
    return 'every answer was forced or a problem, so no request was checked'
  if (gate === 'unused' && Object.keys(rules).length === 0) return 'no scenario was on'
  if (gate === 'deviations' && forwarded === 0) return 'no call was forwarded to a provider'
  if (gate === 'deviations' && !isProviderSeen(run))
    return 'the provider answered with 500 or as a gateway, and no more'
  return undefined
}

/** A provider that is down answers 500, or as a gateway, which no outcome but 500 declares. */
function isProviderSeen({ outcomes, deviations }: RunReport): boolean {
  const met = Object.entries(outcomes).some(([id, { causes }]) => causes.provider !== undefined && !id.endsWith(':500'))
  return met || deviations.length > 0
}

/** All that the gates find. */
function findingsOf({ run: report, gates, unused = [] }: FinishedRun, coverage: Coverage): Finding[] {
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
      ...report.deviations.filter((one) => !isInterpretation(one)).map(deviationFinding),
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

/** The outcome of a requirement such as `addOrganizationMember:409:natural`. */
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

function isInterpretation({ basis }: { readonly basis: string }): boolean {
  return basis === 'interpretation'
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
    place: placeOf(violation),
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

function placeOf({ file }: { readonly file?: string | undefined }): FilePlace | undefined {
  return file === undefined ? undefined : { file }
}

function nameOf({ outcome, code, where }: OutcomeDeviation): string {
  return `${outcome ? `${outcome}: ` : ''}${code} at ${where}`
}

function deviationFinding(deviation: OutcomeDeviation): Finding {
  const { where, message, count, of, cites } = deviation
  const inList = countInList({ where, count, of })
  const often = `${inList === '' ? times(count) : ''}${inTest(deviation)}`.replace(/^, /, '')
  return {
    basis: 'deviations',
    place: placeOf(deviation),
    name: nameOf(deviation),
    message: `${inList}${message}${often === '' ? '' : ` (${often})`}`,
    rule: quoteRule(cites[0]),
  }
}

/** Holds a run against its gates; the findings are the reasons for which it fails. */
export function gatesReport(finished: FinishedRun) {
  const { contracts, gates } = finished
  const run = sortedReport(finished.run)
  const { failure, calls } = run
  const coverage = coverageOf(contracts, run.outcomes)
  const found = findingsOf({ ...finished, run }, coverage)
  const results = judge({ ...finished, run }, found)
  const failed = results.filter(({ state }) => state === 'failed').map(({ gate }) => gate)
  const isIdle = results.length > 0 && calls === 0 && !failure && !gates.allowIdle
  const findings = [...(isIdle ? [IDLE] : []), ...found.filter(({ basis }) => failed.includes(basis))]
  const hints = hintsOf(run, gates, contracts)
  const left = notJudged(results)
  const isPassed = !failure && results.length > 0 && results.every(({ state }) => state === 'passed')
  const command = failure ? [{ basis: 'command', message: failure }] : []
  const report: Report = {
    title: 'countersign',
    verdicts: [
      ...command.map(({ message }) => `❌ ${message}`),
      ...(findings.length > 0 ? [`❌ ${countOf(findings)}`] : []),
      ...(isPassed ? ['✅ The client passes every gate.'] : []),
      ...[...left, ...hints].map((note) => `⚠️ ${note}`),
    ],
    findings,
    sections: findingSections(findings),
    table: tableOf(contracts, coverage),
    summary: `${coverage.covered} of ${coverage.total} outcomes met (${percentOf(coverage).toFixed(1)} %)`,
    notes: [...hints, ...left],
    suites: {
      countersign: [
        ...findingCases([...command, ...findings]),
        ...hints.map((note) => ({ classname: 'countersign.hint', name: 'hint', note })),
        ...results
          .filter(({ state }) => state !== 'failed')
          .map(({ gate, why }) => ({
            classname: `countersign.${gate}`,
            name: gate,
            ...(why !== undefined && { skipped: `Not judged, because ${why}.` }),
          })),
      ],
    },
    data: { ...run, gates: results },
  }
  return { ...report, isPassed }
}

/** A sentence for each reason for which gates were not judged. */
function notJudged(results: readonly GateResult[]): readonly string[] {
  const left = groupBy(
    results.filter(({ why }) => why !== undefined),
    ({ why = '' }) => why,
  )
  return Array.from(left, ([why, gates]) => `Not judged, because ${why}: ${gates.map(({ gate }) => gate).join(', ')}.`)
}

export function countOf(failures: readonly Finding[]): string {
  return `${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`
}

/** Advice about requests that the gates do not count, or cannot judge. */
function hintsOf(
  { outcomes, violations, deviations, calls, root, sandboxes }: RunReport,
  { failOn }: Gates,
  contracts: readonly Contract[],
): readonly string[] {
  const declared = outcomeIdsOf(contracts)
  const undeclared = Object.keys(outcomes).filter((id) => !declared.includes(id))
  const tolerated = failOn.includes('deviations') ? deviations.filter(isInterpretation) : []
  const left = violations.reduce((sum, { basis, count }) => (basis === 'interpretation' ? sum + count : sum), 0)
  const unmet = violations.filter(({ code }) => code === UNMET)
  const isLeft = left > 0 && failOn.includes('violations') && !failOn.includes('violations:all')
  return [
    ...(isLeft
      ? [`Violations of interpretations alone are not counted (${left}): --fail-on violations:all counts them.`]
      : []),
    ...(tolerated.length > 0
      ? [
          `Deviations from interpretations alone do not fail the gate: ${tolerated.map((one) => `${nameOf(one)} (${one.cites[0]})`).join(', ')}.`,
        ]
      : []),
    ...(failOn.some((gate) => gate.startsWith('violations')) ? [] : unmet.map((one) => `Unmet: ${one.message}`)),
    ...(undeclared.length > 0
      ? [
          `Met under other interpretations, and not counted: ${undeclared.join(', ')}. Pass the config file of the shards with --config.`,
        ]
      : []),
    ...(root > 0 && (root < calls || sandboxes > 0)
      ? [`${root} of ${calls} requests reached the root, not a sandbox: is /~NAME dropped from their URL?`]
      : []),
  ]
}

/** Operations by statuses: how often each outcome was met, undefined where it is not declared. */
function tableOf(contracts: readonly Contract[], { outcomes }: Coverage): Table {
  const counts = new Map(outcomes.map(({ outcome, count, forced }) => [outcome, forced ? `${count} forced` : count]))
  const statuses = [...new Set(contracts.flatMap(statusesOf))].sort().map(String)
  const rows = contracts.map(({ id }) => [id, ...statuses.map((status) => counts.get(`${id}:${status}`))])
  return { head: ['operation', ...statuses], rows }
}
