import { type Coverage, percentCovered } from './coverage.js'
import type { Report } from './report.js'

/** Operations by statuses: how often each outcome was met, undefined where it is not declared. */
export interface Grid {
  readonly statuses: readonly number[]
  readonly rows: readonly { readonly operation: string; readonly counts: readonly (number | undefined)[] }[]
}

export function gridOf({ outcomes }: Coverage): Grid {
  const cells = outcomes.map(({ outcome, count }) => {
    const [operation = '', status] = outcome.split(':')
    return { operation, status: Number(status), count }
  })
  const statuses = [...new Set(cells.map(({ status }) => status))].sort()
  const operations = [...new Set(cells.map(({ operation }) => operation))]
  const rows = operations.map((operation) => {
    const own = new Map(
      cells.filter((cell) => cell.operation === operation).map(({ status, count }) => [status, count]),
    )
    return { operation, counts: statuses.map((status) => own.get(status)) }
  })
  return { statuses, rows }
}

/** A heat map for the terminal; without colour, it shows only the numbers. */
export function heatMap(report: Report, coverage: Coverage, colour: boolean): string {
  const { statuses, rows } = gridOf(coverage)
  const width = Math.max(...rows.map(({ operation }) => operation.length))
  return [
    `${''.padEnd(width)}${statuses.map((status) => String(status).padStart(6)).join('')}`,
    ...rows.map(
      ({ operation, counts }) => `${operation.padEnd(width)}${counts.map((one) => paint(one, colour)).join('')}`,
    ),
    summaryOf(coverage),
    `Optional parts sent: ${listCounts(report.optional)}`,
    `Pages of lists: ${listCounts(report.pages)}`,
  ].join('\n')
}

/** How many outcomes were met, in one line. */
export function summaryOf(coverage: Coverage): string {
  return `${coverage.covered} of ${coverage.total} outcomes met (${percentCovered(coverage).toFixed(1)} %)`
}

function paint(count: number | undefined, colour: boolean): string {
  const text = (count === undefined ? '' : count === 0 ? '-' : String(count)).padStart(6)
  if (!colour || count === undefined) return text
  return count === 0 ? `\u001b[41;97m${text}\u001b[0m` : `\u001b[${count < 5 ? 42 : 102};30m${text}\u001b[0m`
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts)
  return all.length === 0 ? 'none' : all.map(([name, count]) => `${name} ${count}`).join(', ')
}
