import { successStatusOf } from '../../schemas/contract.js'
import type { Deviation } from '../validation/violation.js'
import { entryOf, type ViolationEntry } from '../world/journal/entry.js'
import { type Exchange, isUnforced } from '../world/journal/exchange.js'
import { addOutcomeCounts, countOutcome, type OutcomeCounts } from '../world/journal/outcome-counts.js'

/** A violation of one operation, with its repeats folded. */
interface FoldedViolation extends ViolationEntry {
  /** Null when no operation matched. */
  readonly operation: string | null
  count: number
  /** The first request that had it. */
  readonly request: string
}

interface FoldedDeviation extends Deviation {
  readonly outcome: string
  count: number
}

/** The outcomes and mistakes of a client's run, over all worlds and resets. */
export interface RunReport {
  readonly kind: 'countersign coverage'
  readonly version: 1
  /** How many requests came; reports of earlier versions do not say. */
  calls?: number | undefined
  readonly outcomes: OutcomeCounts
  /** `operation?parameter` or `operation#field` → how often an optional one was sent. */
  readonly optional: Record<string, number>
  /** Page boundaries of paged lists → how often each was met. */
  readonly pages: Record<'first' | 'last' | 'past the end' | 'empty', number>
  readonly violations: FoldedViolation[]
  readonly deviations: FoldedDeviation[]
  /** `METHOD path` → how often nothing matched it. */
  readonly unmatched: Record<string, number>
  /** Why a provider did not answer → how often, even if the mock answered in its place. */
  readonly unanswered: Record<string, number>
  /** `scenario#rule` of scenarios that were on → how often it answered. */
  readonly rules: Record<string, number>
}

export function emptyReport(): RunReport {
  return {
    kind: 'countersign coverage',
    version: 1,
    calls: 0,
    outcomes: {},
    optional: {},
    pages: { first: 0, last: 0, 'past the end': 0, empty: 0 },
    violations: [],
    deviations: [],
    unmatched: {},
    unanswered: {},
    rules: {},
  }
}

/** Adds one exchange to a report. */
export function countExchange(report: RunReport, exchange: Exchange): void {
  const { contract, declaredOutcome, cause } = exchange
  report.calls = (report.calls ?? 0) + 1
  if (contract === null) add(report.unmatched, unmatchedName(exchange))
  if (declaredOutcome !== null) countOutcome(report.outcomes, declaredOutcome, cause)
  if (isUnanswered(exchange)) add(report.unanswered, exchange.unanswered ?? exchange.why)
  if (cause.startsWith('scenario:')) add(report.rules, cause.slice('scenario:'.length))
  if (exchange.violations.length > 0 && !exchange.meant) foldViolations(report, exchange)
  if (exchange.deviations.some(({ meant }) => !meant)) foldDeviations(report, exchange)
  if (contract === null || exchange.declaredStatus !== successStatusOf(contract) || !isUnforced(cause)) return
  for (const [part, sign, sent] of [
    ['query', '?', exchange.query],
    ['form', '#', exchange.form ?? {}],
  ] as const) {
    const schema = contract[part]
    for (const name of Object.keys(sent)) {
      if (schema?.properties[name] !== undefined && !schema.required?.includes(name))
        add(report.optional, `${contract.id}${sign}${name}`)
    }
  }
  notePages(report, exchange)
}

/** Whether a provider was asked and gave no whole answer, or the mock had to say something in its place. */
function isUnanswered({ cause, problem, brokenOff }: Exchange): boolean {
  return cause === 'fallback' || (cause === 'provider' && (problem || brokenOff))
}

function unmatchedName(exchange: Exchange): string {
  const { method, url } = entryOf(exchange)
  return `${method} ${url.split('?')[0]}`
}

function foldViolations(report: RunReport, exchange: Exchange): void {
  const { violations, operation, method, url } = entryOf(exchange)
  const request = `${method} ${url}`
  for (const violation of violations)
    fold(report.violations, { ...violation, operation, request, count: 1 }, sameViolation)
}

/** Redacted as in the journal: a provider may repeat a token. */
function foldDeviations(report: RunReport, exchange: Exchange): void {
  const { deviations, outcome } = entryOf(exchange)
  for (const deviation of deviations.filter(({ meant }) => !meant))
    fold(report.deviations, { ...deviation, outcome: outcome ?? '', count: 1 }, sameDeviation)
}

const sameViolation = (a: FoldedViolation, b: FoldedViolation) =>
  a.code === b.code && a.where === b.where && a.operation === b.operation
const sameDeviation = (a: FoldedDeviation, b: FoldedDeviation) =>
  a.code === b.code && a.where === b.where && a.outcome === b.outcome && a.basis === b.basis

function fold<T extends { count: number }>(list: T[], one: T, same: (a: T, b: T) => boolean): void {
  const known = list.find((other) => same(other, one))
  if (known === undefined) list.push({ ...one })
  else known.count += one.count
}

function add(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count
}

/** Which boundaries of a paged list an answer shows. */
function notePages({ pages }: RunReport, { contract, sent }: Exchange): void {
  const { paging } = contract ?? {}
  if (paging === undefined || !sent?.body) return
  const page = integerIn(sent.body, paging.page)
  const perPage = integerIn(sent.body, paging.perPage)
  const total = integerIn(sent.body, paging.total)
  if (page === undefined || perPage === undefined || total === undefined) return
  const last = Math.max(1, Math.ceil(total / perPage))
  if (total === 0) pages.empty++
  else if (page > last) pages['past the end']++
  else if (page === last) pages.last++
  if (page === 1 && total > 0) pages.first++
}

/** A whole number of a body by its name; the journal may have cut the body, so it is not parsed. */
function integerIn(body: string, name: string): number | undefined {
  const [, digits] = new RegExp(`[{,]\\s*${JSON.stringify(name)}\\s*:\\s*(\\d+)`).exec(body) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Adds the reports of several runs up. */
export function mergeReports(reports: readonly RunReport[]): RunReport {
  const sum = emptyReport()
  for (const one of reports) {
    sum.calls = sum.calls === undefined || one.calls === undefined ? undefined : sum.calls + one.calls
    addOutcomeCounts(sum.outcomes, one.outcomes)
    for (const part of ['optional', 'pages', 'unmatched', 'unanswered', 'rules'] as const) {
      for (const [name, count] of Object.entries(one[part] ?? {})) add(sum[part], name, count)
    }
    for (const violation of one.violations) fold(sum.violations, violation, sameViolation)
    for (const deviation of one.deviations) fold(sum.deviations, deviation, sameDeviation)
  }
  return sum
}
