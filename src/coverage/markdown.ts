import { codeBlock, codeSpan, escapeMarkdown, proseMarkdown } from '../text/markdown.js'
import { summaryText } from '../text/summary.js'
import type { Coverage } from './coverage.js'
import type { GateFailure } from './gate-failure.js'
import { type Gates, gateNames } from './gates.js'
import { gridOf, summaryOf } from './heat-map.js'
import { times } from './times.js'

export interface Verdict {
  readonly coverage: Coverage
  readonly failures: readonly GateFailure[]
  readonly gates: Gates
  /** How the command failed, as a sentence; undefined where it succeeded. */
  readonly failure: string | undefined
}

/** The failures and the heat map, for CI systems that show markdown; at most so many bytes. */
export function markdownSummary(verdict: Verdict, most?: number): string {
  const { coverage, failures, failure } = verdict
  return summaryText(
    [
      '## countersign',
      failure === undefined ? '' : `❌ ${escapeMarkdown(failure)}`,
      gatesLine(verdict),
      { items: bullets(failures), called: 'failures' },
      `### Outcomes\n\n${table(coverage)}`,
      summaryOf(coverage),
    ],
    most,
  )
}

function gatesLine({ failures, gates, failure }: Verdict): string {
  if (failures.length > 0) return `❌ ${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`
  // Where the command failed and nothing was asked of it, there is nothing to praise.
  if (failure !== undefined && gateNames(gates).length === 0) return ''
  return '✅ The client passes every gate.'
}

/** The failures below headings: the gate, and the operation or outcome that they are about. */
function bullets(failures: readonly GateFailure[]): string[] {
  const groups = new Map<string, GateFailure[]>()
  for (const one of failures) {
    const heading = one.about === undefined ? one.gate : `${one.gate}: ${codeSpan(one.about)}`
    groups.set(heading, [...(groups.get(heading) ?? []), one])
  }
  return [...groups].flatMap(([heading, own], nth) =>
    own.map((one, at) => (at > 0 ? bullet(one) : `${nth > 0 ? '\n' : ''}### ${heading}\n\n${bullet(one)}`)),
  )
}

function bullet({ what, message, count, request, fix, corrected, rule }: GateFailure): string {
  return [
    `- **${codeSpan(what)}**`,
    `  - ${escapeMarkdown(message)}${count === undefined ? '' : ` (${times(count)})`}`,
    ...(fix === undefined ? [] : [`  - Fix: ${escapeMarkdown(fix)}`]),
    ...(corrected === undefined ? [] : codeBlock(corrected, 'sh').map((line) => `    ${line}`)),
    ...(request === undefined ? [] : [`  - First request: ${codeSpan(request)}`]),
    ...(rule === undefined ? [] : [`  - Rule: ${proseMarkdown(rule)}`]),
  ].join('\n')
}

function table(coverage: Coverage): string {
  const { statuses, rows } = gridOf(coverage)
  return [
    `| operation | ${statuses.join(' | ')} |`,
    `|---|${statuses.map(() => '--:').join('|')}|`,
    ...rows.map(({ operation, counts }) => `| ${operation} | ${counts.map(cell).join(' | ')} |`),
  ].join('\n')
}

function cell(count: number | undefined): string {
  if (count === undefined) return ''
  return count === 0 ? '**0**' : String(count)
}
