import { type Static, Type } from '@sinclair/typebox'
import type { Cites } from '../../engine/contract/cites.js'
import { oneOf } from '../../engine/contract/fields.js'
import { truncate } from '../../engine/contract/wording.js'
import type { LocatedRule } from '../../engine/files/scenario.js'
import { entryOf } from '../../engine/journal/entry.js'
import { causeOfOutcome, declaredOutcomeOf, type Exchange } from '../../engine/journal/exchange.js'
import { forAllItems } from '../../engine/judge/fold-deviations.js'
import { violationOf } from '../../engine/judge/violation.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { Sandboxes } from '../../engine/sandbox/sandboxes.js'
import { countOutcome, type ExpectedOutcome, isForcedOnly } from './plugin.js'

const Times = Type.Integer({ minimum: 1 })
const Total = Type.Integer({ minimum: 0 })
const Totals = Type.Record(Type.String(), Total)
const OptionalText = Type.Optional(Type.String())
const TextOrNull = Type.Union([Type.String(), Type.Null()], { 'x-allowed': 'text or null' })

const commonFields = {
  code: Type.String(),
  message: Type.String(),
  where: Type.String(),
  test: OptionalText,
  file: OptionalText,
  count: Times,
}

const FoldedViolation = Type.Object({
  ...commonFields,
  operation: TextOrNull,
  /** An example, the same in every run. */
  request: Type.String(),
  fix: Type.String(),
  basis: oneOf(['documented', 'interpretation', 'suspicious']),
  rule: OptionalText,
  corrected: OptionalText,
  refusedWith: Type.Optional(Type.Integer()),
})
export type FoldedViolation = Static<typeof FoldedViolation>

/** `of`: the number of items in the list, if the deviation is in one. */
const OutcomeDeviation = Type.Object({
  ...commonFields,
  outcome: Type.String(),
  basis: oneOf(['documented', 'interpretation']),
  cites: Type.Unsafe<Cites>(Type.Array(Type.String(), { minItems: 1 })),
  of: Type.Optional(Times),
})
export type OutcomeDeviation = Static<typeof OutcomeDeviation>

/** Covers all sandboxes, across resets. */
export const RunReport = Type.Object({
  /** Only these random ids differ between equal runs. */
  runs: Type.Array(Type.Object({ id: Type.String(), calls: Total }), { minItems: 1 }),
  calls: Total,
  root: Total,
  sandboxes: Total,
  /** Calls whose request was checked: they requested no outcome, and met no problem. */
  checked: Total,
  forwarded: Total,
  /** Aborted, or pending at the command's end. */
  unfinished: Total,
  failure: TextOrNull,
  outcomes: Type.Record(
    Type.String(),
    Type.Object({ count: Times, causes: Type.Record(Type.String(), Times, { minProperties: 1 }) }),
  ),
  violations: Type.Array(FoldedViolation),
  deviations: Type.Array(OutcomeDeviation),
  /** By `METHOD path`. */
  unmatched: Totals,
  unanswered: Totals,
  /** By `scenario#rule`, for scenarios that were ever on. */
  rules: Totals,
})
export type RunReport = Static<typeof RunReport>

function emptyReport(): RunReport {
  const counts = { calls: 0, root: 0, sandboxes: 0, checked: 0, forwarded: 0, unfinished: 0, failure: null }
  const lists = { outcomes: {}, violations: [], deviations: [], unmatched: {}, unanswered: {}, rules: {} }
  return { ...REPORT_HEAD, runs: [], ...counts, ...lists }
}

export const REPORT_HEAD = { kind: 'countersign coverage', version: 1 } as const

/** `origin` is for corrected requests. */
export function recordRun(sandboxes: Sandboxes, origin: string) {
  const run = emptyReport()
  const rulesByNameAndText = new Map<string, Map<string, CountedRule>>()
  const countRule = (name: string, rule: LocatedRule, times: number, shippedIn?: string) => {
    const byText = rulesByNameAndText.get(name) ?? new Map<string, CountedRule>()
    const text = JSON.stringify(rule)
    const { count = 0, ...counted } = byText.get(text) ?? {}
    rulesByNameAndText.set(name, byText.set(text, { rule, shippedIn, ...counted, count: times + count }))
  }
  const addActiveRules = ({ player, library }: Sandbox) => {
    for (const { name, source, rules } of player.active.flatMap((active) => library.find(active) ?? []))
      for (const [at, rule] of rules.entries())
        countRule(`${name}#${at + 1}`, rule, 0, source === 'shipped' ? name : undefined)
  }
  addActiveRules(sandboxes.root)
  const sandboxNames = new Set<string | null>()
  sandboxes.on('change', (kind, sandbox) => {
    if (kind === 'sandboxes') run.sandboxes = sandboxNames.add(sandbox.name).size
    if (kind === 'sandboxes' || kind === 'scenarios') addActiveRules(sandbox)
  })
  sandboxes.on('exchange', (exchange, sandbox) => {
    const { cause, rule } = exchange.answer
    if (rule !== null) countRule(cause.slice('scenario:'.length), rule, 1)
    countExchange(run, exchange, sandbox, origin)
  })
  return { run, rules: () => numberRules(rulesByNameAndText) }
}

export interface CountedRule {
  readonly rule: LocatedRule
  readonly count: number
  readonly shippedIn?: string | undefined
}

/** Rules of one name differ if the scenario was redefined: each gets a number. */
function numberRules(byName: ReadonlyMap<string, ReadonlyMap<string, CountedRule>>): Map<string, CountedRule> {
  const numbered = Array.from(byName, ([name, byText]) => {
    const sorted = sortedBy([...byText], ([text]) => text)
    return sorted.map(([, rule], at) => [at === 0 ? name : `${name} (${at + 1})`, rule] as const)
  })
  return new Map(numbered.flat())
}

/** Texts are redacted, as in the journal. */
function countExchange(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { contract, answer, status } = exchange
  const { cause, step, violations, deviations } = answer
  // Requests that browsers send unasked, such as for an icon, are no calls.
  if (contract === null && status !== null && violations.length === 0) return
  const outcome = declaredOutcomeOf(exchange)
  report.calls++
  if (exchange.sandbox === null) report.root++
  if (contract !== null && !answer.isUnjudged) report.checked++
  if (step === 'forward' || cause === 'provider' || cause === 'fallback') report.forwarded++
  if (outcome !== null) countOutcome(report.outcomes, outcome, causeOfOutcome(answer))
  if (status === null && answer.fault === null) report.unfinished++
  const isUnanswered = cause === 'fallback' || (cause === 'provider' && (answer.problem !== null || status === null))
  const unanswered = isUnanswered ? answer.why : answer.whyUnchecked
  if (unanswered !== null) add(report.unanswered, unanswered)
  if (contract === null || violations.length > 0 || deviations.length > 0)
    addMistakes(report, exchange, sandbox, origin)
}

function addMistakes(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { violations, deviations, operation, outcome, method, url } = entryOf(exchange, sandbox, origin)
  const isExpected = violations.some(({ expected }) => expected)
  if (exchange.contract === null && !isExpected) add(report.unmatched, requestName(method, url?.split('?')[0]))
  const request = requestName(method, url)
  const { title: test, file } = exchange.test
  for (const [at, violation] of violations.entries()) {
    if (violation.expected) continue
    const { refusedWith } = exchange.answer.violations[at] ?? {}
    fold(report.violations, { ...violation, operation, request, test, file, refusedWith, count: 1 })
  }
  const unintended = deviations.filter(({ meant }) => !meant)
  for (const deviation of unintended)
    fold(report.deviations, { ...forAllItems(deviation), outcome: outcome ?? '', test, file })
}

export const UNMET = 'expectation-unmet'

export function recordUnmet(report: RunReport, expected: ExpectedOutcome): void {
  const { outcome, times, prefix, test } = expected
  const { about: _, ...violation } = violationOf({
    code: UNMET,
    where: outcome,
    message: `A test expected ${outcome} more often than it occurred.`,
    fix: 'Make the test send a request that gets this outcome, or remove the expectation.',
  })
  const operation = outcome.split(':')[0] as string
  const request = `POST ${prefix}/__admin/expectations`
  fold(report.violations, { ...violation, operation, request, test: test.title, file: test.file, count: times })
}

type FoldedEntry = Pick<OutcomeDeviation, 'code' | 'where' | 'count' | 'of'> &
  Pick<FoldedViolation, 'basis'> &
  Partial<Pick<FoldedViolation, 'operation' | 'request' | 'test'> & Pick<OutcomeDeviation, 'outcome'>>

/** Keeps folding linear. */
const indexesByKey = new WeakMap<readonly FoldedEntry[], Map<string, number>>()

/** Adds an entry, or its counts to those of an equal one. The example does not depend on the order of arrival. */
function fold<T extends FoldedEntry>(list: T[], entry: T): void {
  const indexes = indexesByKey.get(list) ?? new Map<string, number>()
  indexesByKey.set(list, indexes)
  const key = foldKey(entry)
  const index = indexes.get(key) ?? list.length
  indexes.set(key, index)
  const existing = list[index]
  if (existing === undefined) {
    list.push({ ...entry })
    return
  }
  const count = existing.count + entry.count
  const of = existing.of === undefined || entry.of === undefined ? undefined : existing.of + entry.of
  list[index] = { ...(exampleKey(entry) < exampleKey(existing) ? entry : existing), count, of }
}

function exampleKey({ request = '', test = '', count: _, of: __, ...example }: FoldedEntry): string {
  return JSON.stringify([request, test, example])
}

function add(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count
}

/** The same run gives the same bytes. */
export function sortedReport(report: RunReport) {
  const outcomes = Object.entries(report.outcomes).map(([outcome, { count, causes }]) => {
    const forced = isForcedOnly(causes) && { forced: true }
    return [outcome, { count, causes: sortedRecord(causes), ...forced }] as const
  })
  return {
    ...report,
    runs: sortedBy(report.runs, ({ id }) => id),
    outcomes: sortedRecord(Object.fromEntries(outcomes)),
    violations: sortedBy(report.violations, foldKey),
    deviations: sortedBy(report.deviations, foldKey),
    unmatched: sortedRecord(report.unmatched),
    unanswered: sortedRecord(report.unanswered),
    rules: sortedRecord(report.rules),
  }
}

function foldKey({ operation, outcome = '', where, code, basis, request }: FoldedEntry): string {
  // Each unmatched `METHOD path` has another remedy.
  const unmatched = operation === null ? request?.split('?', 1)[0] : undefined
  return JSON.stringify([operation ?? '', outcome, where, code, basis, unmatched])
}

function sortedBy<T>(list: readonly T[], keyOf: (item: T) => string): T[] {
  return list.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function sortedRecord<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(sortedBy(Object.entries(record), ([name]) => name))
}

const TOTALS = ['calls', 'root', 'sandboxes', 'checked', 'forwarded', 'unfinished'] as const

export function mergeReports(reports: readonly RunReport[]): RunReport {
  const sum = emptyReport()
  for (const report of reports) {
    sum.runs.push(...report.runs)
    for (const name of TOTALS) sum[name] += report[name]
    if (report.failure) sum.failure = [sum.failure ?? [], report.failure].flat().sort().join(' ')
    for (const [outcome, { causes }] of Object.entries(report.outcomes))
      for (const [cause, times] of Object.entries(causes)) countOutcome(sum.outcomes, outcome, cause, times)
    for (const counts of ['unmatched', 'unanswered', 'rules'] as const)
      for (const [name, count] of Object.entries(report[counts])) add(sum[counts], name, count)
    for (const violation of report.violations) fold(sum.violations, violation)
    for (const deviation of report.deviations) fold(sum.deviations, deviation)
  }
  return sum
}

const LONGEST_URL = 1_000

function requestName(method: string | null, url: string | null | undefined): string {
  return method === null ? 'an unreadable request' : `${method} ${truncate(url ?? '', LONGEST_URL)}`
}
