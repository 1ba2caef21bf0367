import { entryOf, type ViolationEntry } from '../../engine/journal/entry.js'
import { declaredOutcomeOf, type Exchange } from '../../engine/journal/exchange.js'
import { foldDeviations } from '../../engine/judge/fold-deviations.js'
import { type Deviation, suspicionOf, type Violation } from '../../engine/judge/violation.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { Sandboxes } from '../../engine/sandbox/sandboxes.js'
import type { ReadyRule } from '../../engine/sandbox/scenarios/scenario.js'
import { addOutcomeCounts, countOutcome, type ExpectedOutcome, isForcedOnly, type OutcomeCounts } from './plugin.js'

/** A violation of one operation, with its repeats folded. */
export interface FoldedViolation extends ViolationEntry {
  /** Null when no operation matched. */
  readonly operation: string | null
  count: number
  /** A request that had it, the same in every run, and the test that sent it. */
  readonly request: string
  readonly test?: string | undefined
  /** The test's file. */
  readonly file?: string | undefined
  /** The status that it was refused with, if it was. */
  readonly refusedWith?: number | undefined
}

/** A deviation of one outcome, with its repeats folded. */
export interface OutcomeDeviation extends Deviation {
  readonly outcome: string
  /** The test that got it, the same in every run. */
  readonly test?: string | undefined
  readonly file?: string | undefined
  /** Of a list, the items that had it. */
  count: number
  /** Of a list, all its items in the answers that had it; undefined where it is not known. */
  of?: number | undefined
}

/** The outcomes and mistakes of a client's run, over all sandboxes and resets. */
export type RunReport = ReturnType<typeof emptyReport>

function emptyReport() {
  return {
    kind: 'countersign coverage',
    version: 1,
    /** How many requests came. */
    calls: 0,
    /** How many of them named no sandbox. */
    root: 0,
    /** How many sandboxes there were, besides the root. */
    sandboxes: 0,
    /** How many calls were checked for violations: those that were neither forced nor answered by a problem. */
    checked: 0,
    /** How many calls were forwarded to a provider. */
    forwarded: 0,
    /** How the command failed, as a sentence; null if it succeeded. */
    failure: null as string | null,
    outcomes: {} as OutcomeCounts,
    violations: [] as FoldedViolation[],
    deviations: [] as OutcomeDeviation[],
    /** `METHOD path` → how often nothing matched it. */
    unmatched: {} as Record<string, number>,
    /** Why a provider did not answer → how often, even if the mock answered in its place. */
    unanswered: {} as Record<string, number>,
    /** `scenario#rule` of scenarios that were on in any sandbox, at any time, or answered → how often it answered. */
    rules: {} as Record<string, number>,
  }
}

/** Counts what happens in all sandboxes from now on. `origin` stands in corrected requests. */
export function recordRun(sandboxes: Sandboxes, origin: string) {
  const run = emptyReport()
  const answered = new Map<string, Map<ReadyRule, number>>()
  const noteRule = (name: string, rule: ReadyRule, times: number) => {
    const counts = answered.get(name) ?? new Map<ReadyRule, number>()
    answered.set(name, counts.set(rule, (counts.get(rule) ?? 0) + times))
  }
  const names = new Set<string | null>()
  const noteActive = ({ playback, library }: Sandbox) => {
    for (const scenario of playback.active.flatMap((name) => library.find(name) ?? []))
      for (const [at, rule] of scenario.rules.entries()) noteRule(`${scenario.name}#${at + 1}`, rule, 0)
  }
  noteActive(sandboxes.root)
  sandboxes.on('change', (aspect, sandbox) => {
    if (aspect === 'sandboxes') run.sandboxes = names.add(sandbox.name).size
    if (aspect === 'sandboxes' || aspect === 'scenarios') noteActive(sandbox)
  })
  sandboxes.on('exchange', (exchange, sandbox) => {
    const { cause, rule } = exchange.answer
    if (rule !== undefined) noteRule(cause.slice('scenario:'.length), rule, 1)
    countExchange(run, exchange, sandbox, origin)
  })
  return { run, rules: () => rulesByName(answered) }
}

export interface CountedRule {
  readonly rule: ReadyRule
  count: number
}

/** Rules of one name that differ are numbered; equal ones, of several sandboxes or resets, are one. */
function rulesByName(answered: ReadonlyMap<string, ReadonlyMap<ReadyRule, number>>): Map<string, CountedRule> {
  const named = Array.from(answered, ([name, counts]) => {
    const byText = new Map<string, CountedRule>()
    for (const [rule, count] of counts) {
      const text = JSON.stringify(rule)
      byText.set(text, { rule, count: count + (byText.get(text)?.count ?? 0) })
    }
    const sorted = sortedBy([...byText], ([text]) => text)
    return sorted.map(([, one], at) => [at === 0 ? name : `${name} (${at + 1})`, one] as const)
  })
  return new Map(named.flat())
}

/** Adds one exchange to a report; its texts are redacted as in the journal. */
function countExchange(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { contract, answer } = exchange
  const { cause, step, notice, why, violations, deviations = [] } = answer
  const outcome = declaredOutcomeOf(exchange)
  report.calls++
  if (exchange.sandbox === null) report.root++
  if (!UNCHECKED.includes(step)) report.checked++
  if (step === 'forward' || cause === 'provider' || cause === 'fallback') report.forwarded++
  if (outcome !== null) countOutcome(report.outcomes, outcome, cause)
  if (isUnanswered(exchange)) add(report.unanswered, notice?.message ?? why)
  if (contract === null || violations.length > 0 || deviations.length > 0)
    noteMistakes(report, exchange, sandbox, origin)
}

/** The steps that answer a request without looking for its violations. */
const UNCHECKED = ['routing', 'forceOutcome', 'playScenario']

/** A provider was asked and gave no answer. */
function isUnanswered({ answer: { cause, problem } }: Exchange): boolean {
  return cause === 'fallback' || (cause === 'provider' && problem !== undefined)
}

/** Notes what an exchange's entry in the journal says of mistakes. */
function noteMistakes(report: RunReport, exchange: Exchange, sandbox: Sandbox, origin: string): void {
  const { violations, deviations, operation, outcome, method, url, response } = entryOf(exchange, sandbox, origin)
  if (exchange.contract === null) add(report.unmatched, `${method} ${url.split('?')[0]}`)
  const request = `${method} ${url}`
  const { title: test, file } = exchange.test
  for (const [at, violation] of violations.entries()) {
    if (violation.expected) continue
    const { refusedWith } = exchange.answer.violations[at] ?? {}
    fold(report.violations, { ...violation, operation, request, test, file, refusedWith, count: 1 })
  }
  const unmeant = deviations.filter(({ meant }) => !meant)
  for (const { first: _, ...deviation } of foldDeviations(unmeant, response?.body ?? undefined))
    fold(report.deviations, { ...deviation, outcome: outcome ?? '', test, file })
}

export const UNMET = 'expectation-unmet'

/** An expected outcome that never came is a mistake of the test's. */
export function noteUnmet(report: RunReport, { outcome, times, prefix, test: { title: test, file } }: ExpectedOutcome) {
  const violation = suspicionOf({
    code: UNMET,
    where: outcome,
    message: `A test expected ${outcome}, which never came.`,
    fix: 'Send the request that is answered so in that test, or do not expect it.',
  })
  const operation = outcome.split(':')[0] as string
  const request = `POST ${prefix}/__admin/expectations`
  fold(report.violations, { ...violation, operation, request, test, file, count: times })
}

/** These are equal in repeats. */
const SAME = ['operation', 'outcome', 'where', 'code', 'basis'] as const

interface Folded extends Pick<Violation, 'code' | 'where' | 'basis'> {
  readonly operation?: string | null
  readonly outcome?: string
  readonly request?: string
  count: number
  of?: number | undefined
}

/** Where each is in its list: a run may ask for thousands of paths. */
const positions = new WeakMap<readonly Folded[], Map<string, number>>()

/** Keeps the same example of them, in whatever order they come. */
function fold<T extends Folded>(list: T[], one: T): void {
  const places = positions.get(list) ?? new Map<string, number>()
  positions.set(list, places)
  const key = foldKey(one)
  const at = places.get(key) ?? list.length
  places.set(key, at)
  const known = list[at]
  if (known === undefined) {
    list.push({ ...one })
    return
  }
  const count = known.count + one.count
  const of = known.of === undefined || one.of === undefined ? undefined : known.of + one.of
  list[at] = { ...(exampleKey(one) < exampleKey(known) ? one : known), count, of }
}

/** What no operation matched, as `METHOD path`: each has a remedy of its own. */
function unmatchedIn({ operation, request = '' }: Folded): string | undefined {
  return operation === null ? request.split('?', 1)[0] : undefined
}

function exampleKey(one: Folded): string {
  const { request = '', test = '', count: _, of: __, ...example } = one as Folded & Partial<FoldedViolation>
  return JSON.stringify([request, test, example])
}

function add(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count
}

/** The same bytes for the same calls, in whatever order they came. An outcome is `forced` if it was never met otherwise. */
export function sortedReport(report: RunReport) {
  const outcomes = Object.entries(report.outcomes).map(([outcome, { count, causes }]) => {
    const forced = isForcedOnly(causes) && { forced: true }
    return [outcome, { count, causes: sortedRecord(causes), ...forced }] as const
  })
  return {
    ...report,
    outcomes: sortedRecord(Object.fromEntries(outcomes)),
    violations: sortedBy(report.violations, foldKey),
    deviations: sortedBy(report.deviations, foldKey),
    unmatched: sortedRecord(report.unmatched),
    unanswered: sortedRecord(report.unanswered),
    rules: sortedRecord(report.rules),
  }
}

const foldKey = (one: Folded) => JSON.stringify([...SAME.map((name) => one[name] ?? ''), unmatchedIn(one)])

function sortedBy<T>(list: readonly T[], keyOf: (one: T) => string): T[] {
  return list.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function sortedRecord<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(sortedBy(Object.entries(record), ([name]) => name))
}

/** Adds the reports of several runs up. */
export function mergeReports(reports: readonly RunReport[]): RunReport {
  const sum = emptyReport()
  for (const one of reports) {
    for (const part of ['calls', 'root', 'sandboxes', 'checked', 'forwarded'] as const) sum[part] += one[part]
    if (one.failure) sum.failure = [sum.failure ?? [], one.failure].flat().sort().join(' ')
    addOutcomeCounts(sum.outcomes, one.outcomes)
    for (const part of ['unmatched', 'unanswered', 'rules'] as const) {
      for (const [name, count] of Object.entries(one[part])) add(sum[part], name, count)
    }
    for (const violation of one.violations) fold(sum.violations, violation)
    for (const deviation of one.deviations) fold(sum.deviations, deviation)
  }
  return sum
}
