import { Type } from '@sinclair/typebox'
import { entryOf, type ViolationEntry } from '../../mock/http/views/entry.js'
import { declaredOutcomeOf, type Exchange } from '../../mock/sandbox/journal/exchange.js'
import type { Sandbox } from '../../mock/sandbox/sandbox.js'
import { readSource } from '../../mock/text/source-file.js'
import { foldDeviations } from '../../mock/validation/fold-deviations.js'
import { requireSchema } from '../../mock/validation/require-schema.js'
import type { Deviation, Violation } from '../../mock/validation/violation.js'
import { addOutcomeCounts, countOutcome, type OutcomeCounts } from './plugin.js'

/** A violation of one operation, with its repeats folded. */
export interface FoldedViolation extends ViolationEntry {
  /** Null when no operation matched. */
  readonly operation: string | null
  count: number
  /** The first request that had it, and the test that sent it. */
  readonly request: string
  readonly test?: string | undefined
  /** The status that it was refused with, if it was. */
  readonly refusedWith?: number | undefined
}

/** A deviation of one outcome, with its repeats folded. */
export interface OutcomeDeviation extends Deviation {
  readonly outcome: string
  /** Of a list, the items that had it. */
  count: number
  /** Of a list, all its items in the answers that had it; undefined where it is not known. */
  of?: number | undefined
}

/** The outcomes and mistakes of a client's run, over all sandboxes and resets. */
export type RunReport = ReturnType<typeof emptyReport>

export function emptyReport() {
  return {
    kind: 'countersign coverage',
    version: 1,
    /** How many requests came. */
    calls: 0,
    /** How many of them named no sandbox. */
    root: 0,
    outcomes: {} as OutcomeCounts,
    violations: [] as FoldedViolation[],
    deviations: [] as OutcomeDeviation[],
    /** `METHOD path` → how often nothing matched it. */
    unmatched: {} as Record<string, number>,
    /** Why a provider did not answer → how often, even if the mock answered in its place. */
    unanswered: {} as Record<string, number>,
    /** `scenario#rule` of scenarios that were on → how often it answered. */
    rules: {} as Record<string, number>,
  }
}

/** Adds one exchange to a report; its texts are redacted as in the journal. `origin` is where the server listens. */
export function countExchange(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { contract, answer } = exchange
  const { cause, notice, why, violations, deviations = [] } = answer
  const outcome = declaredOutcomeOf(exchange)
  report.calls++
  if (exchange.sandbox === null) report.root++
  if (outcome !== null) countOutcome(report.outcomes, outcome, cause)
  if (isUnanswered(exchange)) add(report.unanswered, notice?.message ?? why)
  if (cause.startsWith('scenario:')) add(report.rules, cause.slice('scenario:'.length))
  if (contract === null || violations.length > 0 || deviations.length > 0)
    noteMistakes(report, exchange, sandbox, origin)
}

/** A provider was asked and gave no answer. */
function isUnanswered({ answer: { cause, problem } }: Exchange): boolean {
  return cause === 'fallback' || (cause === 'provider' && problem !== undefined)
}

/** Notes what an exchange's entry in the journal says of mistakes. */
function noteMistakes(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { violations, deviations, operation, outcome, method, url, response } = entryOf(exchange, sandbox, origin)
  if (exchange.contract === null) add(report.unmatched, `${method} ${url.split('?')[0]}`)
  const request = `${method} ${url}`
  for (const [at, violation] of violations.entries()) {
    if (violation.expected) continue
    const { test, answer } = exchange
    const { refusedWith } = answer.violations[at] ?? {}
    fold(report.violations, { ...violation, operation, request, test, refusedWith, count: 1 })
  }
  const unmeant = deviations.filter(({ meant }) => !meant)
  for (const { first: _, ...deviation } of foldDeviations(unmeant, response?.body ?? undefined))
    fold(report.deviations, { ...deviation, outcome: outcome ?? '' })
}

/** These are equal in repeats. */
const SAME = ['code', 'where', 'basis', 'operation', 'outcome'] as const

interface Folded extends Pick<Violation, 'code' | 'where' | 'basis'> {
  readonly operation?: string | null
  readonly outcome?: string
  count: number
  of?: number | undefined
}

function fold<T extends Folded>(list: T[], one: T): void {
  const known = list.find((other) => SAME.every((name) => other[name] === one[name]))
  if (known === undefined) {
    list.push({ ...one })
    return
  }
  known.count += one.count
  known.of = known.of === undefined || one.of === undefined ? undefined : known.of + one.of
}

function add(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count
}

/** Adds the reports of several runs up. */
export function mergeReports(reports: readonly RunReport[]): RunReport {
  const sum = emptyReport()
  for (const one of reports) {
    sum.calls += one.calls
    sum.root += one.root
    addOutcomeCounts(sum.outcomes, one.outcomes)
    for (const part of ['unmatched', 'unanswered', 'rules'] as const) {
      for (const [name, count] of Object.entries(one[part])) add(sum[part], name, count)
    }
    for (const violation of one.violations) fold(sum.violations, violation)
    for (const deviation of one.deviations) fold(sum.deviations, deviation)
  }
  return sum
}

/**
 * Reads a report that `exec --coverage FILE` wrote.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readReport(file: string): Promise<RunReport> {
  const source = await readSource(file)
  await requireSchema(source, ReportFile)
  return source.data as RunReport
}

const ReportFile = Type.Object({ kind: Type.Literal('countersign coverage'), version: Type.Literal(1) })
