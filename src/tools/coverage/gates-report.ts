import { contractsOf } from '../../engine/api.js'
import { type Contract, outcomeIdsOf, statusesOf } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import type { Coverage, Finding, Report, Table } from '../report/report.js'
import { findingCases, findingSections } from '../report/report.js'
import {
  countMet,
  type FinishedRun,
  findingsOf,
  type GateResult,
  isInterpretation,
  isOfViolations,
  judge,
  nameOfDeviation,
  percentOf,
  unjudgedFindings,
} from './gates.js'
import { coverageOf } from './plugin.js'
import { sortedReport, UNMET } from './run-report.js'

const IDLE: Finding = {
  basis: 'idle',
  name: 'nothing was called',
  message:
    'No request reached the server, so there is nothing to check. Make the client call the base URL in COUNTERSIGN_URL, or pass --allow-idle.',
}

export function gatesReport(finished: FinishedRun) {
  const { api, gates } = finished
  const contracts = contractsOf(api)
  const run = sortedReport(finished.run)
  const { failure, calls } = run
  const coverage = coverageOf(contracts, run.outcomes)
  const allFindings = findingsOf({ ...finished, run }, coverage)
  const results = judge({ ...finished, run }, allFindings)
  const failed = results.filter(({ state }) => state === 'failed').map(({ gate }) => gate)
  const isIdle = calls === 0 && !failure && !gates.allowIdle
  const findings = [
    ...(isIdle ? [IDLE] : []),
    ...allFindings.filter(({ basis }) => failed.includes(basis)),
    ...unjudgedFindings(results, finished),
  ]
  const hints = hintsOf({ ...finished, run }, contracts)
  const unjudged = describeUnjudged(results)
  const isPassed = !failure && results.length > 0 && results.every(({ state }) => state === 'passed')
  const commandFailure = failure ? [{ basis: 'command', message: failure }] : []
  const report: Report = {
    title: 'countersign',
    verdicts: [
      ...commandFailure.map(({ message }) => `❌ ${message}`),
      ...(findings.length > 0 ? [`❌ ${describeFailureCount(findings)}`] : []),
      ...(isPassed ? ['✅ The client passes every gate.'] : []),
      ...[...unjudged, ...hints].map((note) => `⚠️ ${note}`),
    ],
    findings,
    sections: findingSections(findings),
    table: tableOf(contracts, coverage),
    summary: summaryOf(coverage),
    notes: [...hints, ...unjudged],
    suites: {
      countersign: [
        ...findingCases([...commandFailure, ...findings]),
        ...hints.map((hint) => ({ classname: 'countersign.hint', name: 'hint', note: hint })),
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

function summaryOf(coverage: Coverage): string {
  const percent = (isNatural: boolean) => `(${percentOf(coverage, isNatural).toFixed(1)} %)`
  const { covered, total } = coverage
  return `${covered} of ${total} outcomes met ${percent(false)}, ${countMet(coverage, true)} without being forced ${percent(true)}`
}

function describeUnjudged(results: readonly GateResult[]): readonly string[] {
  const unjudged = results.filter(({ why }) => why !== undefined)
  const byReason = [...groupBy(unjudged, ({ why = '' }) => why)]
  return byReason.map(([why, group]) => `Not judged, because ${why}: ${group.map(({ gate }) => gate).join(', ')}.`)
}

export function describeFailureCount(failures: readonly Finding[]): string {
  return `${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`
}

/** Notes on results that no gate counts. */
function hintsOf({ run, gates, shardFlaws = [] }: FinishedRun, contracts: readonly Contract[]): readonly string[] {
  const { outcomes, violations, deviations, calls, root, sandboxes, unfinished } = run
  const { failOn, allowIdle } = gates
  const declared = outcomeIdsOf(contracts)
  const undeclared = Object.keys(outcomes).filter((id) => !declared.includes(id))
  const tolerated = failOn.includes('deviations') ? deviations.filter(isInterpretation) : []
  const uncounted = violations.filter(isInterpretation).reduce((sum, { count }) => sum + count, 0)
  const unmet = violations.filter(({ code }) => code === UNMET)
  const hints: readonly (readonly [applies: boolean, hint: string])[] = [
    [
      uncounted > 0 && failOn.includes('violations') && !failOn.includes('violations:all'),
      `Violations that rest on interpretations only are not counted (${uncounted}): --fail-on violations:all counts them.`,
    ],
    [
      tolerated.length > 0,
      `Deviations that rest on interpretations only do not fail the gate: ${tolerated.map((one) => `${nameOfDeviation(one)} (${one.cites[0]})`).join(', ')}.`,
    ],
    [calls === 0 && allowIdle, 'No request reached the server, which --allow-idle allows.'],
    [
      unfinished > 0,
      `${unfinished} of ${calls} requests had no answer when the client closed the connection or the command ended.`,
    ],
    ...shardFlaws.map(({ isAllowed, message }) => [isAllowed, message] as const),
    ...unmet.map(({ message }) => [!failOn.some(isOfViolations), `Expectation not met: ${message}`] as const),
    [
      undeclared.length > 0,
      `Met under other interpretations, and not counted: ${undeclared.join(', ')}. Pass the config file of the shards with --config.`,
    ],
    [
      root > 0 && (root < calls || sandboxes > 0),
      `${root} of ${calls} requests reached the root, not a sandbox: does your client drop /~NAME from the base URL?`,
    ],
  ]
  return hints.filter(([applies]) => applies).map(([, hint]) => hint)
}

function tableOf(contracts: readonly Contract[], { outcomes }: Coverage): Table {
  const counts = new Map(outcomes.map(({ outcome, count, forced }) => [outcome, forced ? `${count} forced` : count]))
  const statuses = [...new Set(contracts.flatMap(statusesOf))].sort().map(String)
  const rows = contracts.map(({ id }) => [id, ...statuses.map((status) => counts.get(`${id}:${status}`))])
  return { head: ['operation', ...statuses], rows }
}
