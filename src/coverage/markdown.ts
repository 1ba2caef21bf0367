import { CONTROL_CHARACTERS, escapeMarkdown } from '../text/markdown.js'
import type { Coverage } from './coverage.js'
import type { GateFailure } from './gates.js'
import { gridOf, summaryOf } from './heat-map.js'

/** The heat map and the gates' failures, for CI systems that show markdown. */
export function markdownSummary(coverage: Coverage, failures: readonly GateFailure[]): string {
  const { statuses, rows } = gridOf(coverage)
  return [
    '## countersign',
    '',
    failures.length === 0
      ? '✅ The client passes every gate.'
      : `❌ ${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`,
    '',
    ...failures.map(
      ({ gate, name, message }) =>
        `- **${gate}** \`${name.replace(CONTROL_CHARACTERS, ' ').replaceAll('`', "'")}\`: ${escapeMarkdown(message)}`,
    ),
    ...(failures.length === 0 ? [] : ['']),
    `| operation | ${statuses.join(' | ')} |`,
    `|---|${statuses.map(() => '--:').join('|')}|`,
    ...rows.map(({ operation, counts }) => `| ${operation} | ${counts.map(cell).join(' | ')} |`),
    '',
    summaryOf(coverage),
    '',
  ].join('\n')
}

function cell(count: number | undefined): string {
  if (count === undefined) return ''
  return count === 0 ? '**0**' : String(count)
}
