import { escapeMarkdown, findingSections } from '../text/markdown.js'
import { type Finding, findingCases, type Report, type Table } from '../text/report.js'
import { type Coverage, percentCovered } from './coverage.js'
import { type Gates, gateNames, hintsOf } from './gates.js'
import type { RunReport } from './report.js'

/** A finished run that was held against its gates. */
export interface Verdict {
  readonly run: RunReport
  readonly coverage: Coverage
  readonly failures: readonly Finding[]
  readonly gates: Gates
  /** How the command failed, as a sentence; undefined if it succeeded. */
  readonly failure?: string | undefined
}

export function gatesReport({ run, coverage, failures, gates, failure }: Verdict): Report {
  const names = gateNames(gates)
  const passed = names.filter((gate) => !failures.some(({ basis }) => basis === gate))
  const command = failure === undefined ? [] : [{ basis: 'command', name: 'command', message: failure }]
  const met = `${coverage.covered} of ${coverage.total} outcomes met (${percentCovered(coverage).toFixed(1)} %)`
  const count = `${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`
  // If the command failed and no gate was set, nothing is praised.
  const praise = failure === undefined || names.length > 0 ? ['✅ The client passes every gate.'] : []
  const hints = hintsOf(run, gates)
  return {
    name: 'countersign',
    verdicts: [
      ...(failure === undefined ? [] : [`❌ ${escapeMarkdown(failure)}`]),
      ...(failures.length > 0 ? [`❌ ${count}`] : praise),
      ...hints.map((hint) => `⚠️ ${escapeMarkdown(hint)}`),
    ],
    findings: failures,
    markdown: findingSections(failures),
    table: tableOf(coverage),
    summary: met,
    notes: [...hints, `Optional parts sent: ${listCounts(run.optional)}`, `Pages of lists: ${listCounts(run.pages)}`],
    suites: [
      {
        name: 'countersign',
        cases: [
          ...findingCases([...command, ...failures]),
          ...hints.map((note) => ({ classname: 'countersign.hint', name: 'hint', note })),
          ...passed.map((gate) => ({ classname: `countersign.${gate}`, name: gate })),
        ],
      },
    ],
    data: run,
  }
}

/** Operations by statuses: how often each outcome was met, undefined where it is not declared. */
function tableOf({ outcomes }: Coverage): Table {
  const counts = new Map(outcomes.map(({ outcome, count }) => [outcome, count]))
  const [operations, statuses] = [0, 1].map((part) => [
    ...new Set(outcomes.map(({ outcome }) => outcome.split(':')[part] ?? '')),
  ]) as [string[], string[]]
  statuses.sort()
  const rows = operations.map(
    (operation) => [operation, statuses.map((status) => counts.get(`${operation}:${status}`))] as const,
  )
  return { title: 'Outcomes', head: ['operation', ...statuses], rows }
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts)
  return all.length === 0 ? 'none' : all.map(([name, count]) => `${name} ${count}`).join(', ')
}
