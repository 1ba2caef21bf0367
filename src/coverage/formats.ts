import { contracts } from '../../schemas/contracts.js'
import { outcomeIds } from '../../schemas/scenario.js'
import { escapeHtml } from '../text/html.js'
import type { GateFailure, Gates } from './gates.js'
import { percentCovered } from './gates.js'
import type { Report } from './report.js'

const STATUSES = [...new Set(outcomeIds.map((id) => Number(id.split(':')[1])))].sort()

/** Operations by statuses: how often each outcome was met, undefined where it is not declared. */
function cells({ outcomes }: Report): { id: string; counts: (number | undefined)[] }[] {
  return contracts.map(({ id, responses }) => ({
    id,
    counts: STATUSES.map((status) => (status in responses ? (outcomes[`${id}:${status}`]?.count ?? 0) : undefined)),
  }))
}

/** A heat map for the terminal; without colour the numbers alone tell. */
export function heatMap(report: Report, colour: boolean): string {
  const rows = cells(report)
  const width = Math.max(...rows.map(({ id }) => id.length))
  const paint = (count: number | undefined) => {
    const text = (count === undefined ? '' : count === 0 ? '-' : String(count)).padStart(6)
    if (!colour || count === undefined) return text
    return count === 0 ? `\u001b[41;97m${text}\u001b[0m` : `\u001b[${count < 5 ? 42 : 102};30m${text}\u001b[0m`
  }
  return [
    `${''.padEnd(width)}${STATUSES.map((status) => String(status).padStart(6)).join('')}`,
    ...rows.map(({ id, counts }) => `${id.padEnd(width)}${counts.map(paint).join('')}`),
    covered(report),
    `Optional parts sent: ${entries(report.optional)}`,
    `Pages of credit histories: ${entries(report.pages)}`,
  ].join('\n')
}

function covered(report: Report): string {
  const met = outcomeIds.filter((id) => report.outcomes[id]?.count).length
  return `${met} of ${outcomeIds.length} outcomes met (${percentCovered(report).toFixed(1)} %)`
}

function entries(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts)
  return all.length === 0 ? 'none' : all.map(([name, count]) => `${name} ${count}`).join(', ')
}

/** The same, with what the gates hold against the run, for CI systems that show markdown. */
export function markdown(report: Report, failures: readonly GateFailure[]): string {
  return [
    '## countersign',
    '',
    failures.length === 0
      ? '✅ The client keeps the contract, as far as the gates ask.'
      : `❌ ${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}`,
    '',
    ...failures.map(({ gate, name, message }) => `- **${gate}** \`${name}\`: ${escapeMarkdown(message)}`),
    ...(failures.length === 0 ? [] : ['']),
    `| operation | ${STATUSES.join(' | ')} |`,
    `|---|${STATUSES.map(() => '--:').join('|')}|`,
    ...cells(report).map(
      ({ id, counts }) =>
        `| ${id} | ${counts.map((count) => (count === undefined ? '' : count === 0 ? '**0**' : count)).join(' | ')} |`,
    ),
    '',
    covered(report),
    '',
  ].join('\n')
}

function escapeMarkdown(text: string): string {
  return escapeHtml(text).replace(/[|`*_[\]]/g, '\\$&')
}

/** The gates as JUnit test cases: one for each that is set, with its failures. */
export function gatesAsJunit(failures: readonly GateFailure[], gates: Gates): string {
  const names = [
    ...gates.failOn,
    ...(gates.require.length > 0 ? ['require'] : []),
    ...(gates.minCoverage > 0 ? ['min-coverage'] : []),
  ]
  const cases = names.flatMap((gate) => {
    const own = failures.filter((one) => one.gate === gate)
    if (own.length === 0) return [`    <testcase classname="countersign.${gate}" name="${gate}"/>`]
    return own.map(({ name, message }) => {
      const text = escapeXml(message)
      return `    <testcase classname="countersign.${gate}" name="${escapeXml(name)}">\n      <failure message="${text}">${text}</failure>\n    </testcase>`
    })
  })
  const counts = `tests="${cases.length}" failures="${failures.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="countersign" ${counts}>`,
    `  <testsuite name="countersign" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Characters that XML 1.0 forbids are left out. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
