import { type Cite, isStatement } from '../../engine/contract/cites.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { quoteRule } from '../../engine/contract/rules.js'
import { countInList } from '../../engine/judge/fold-deviations.js'
import type { Finding, Report, Section, TestCase } from '../report/report.js'
import type { FindingState, Session, VerifyFinding } from './session.js'

interface CitedResult {
  readonly id: Cite
  readonly text: string
  readonly state: FindingState
  readonly reason: string
  readonly operations: readonly string[]
  readonly findings: readonly VerifyFinding[]
}

const MARKS = { drift: '✗', differs: '~', ok: '✓', unchecked: '·' }
const STATES = Object.keys(MARKS) as FindingState[]

const VERDICTS = {
  0: '✅ The provider behaves as documented.',
  1: '❌ The provider departs from the API document.',
  3: '⚠️ The provider could not be judged.',
} as const

export function exitStatus({ findings, unavailable }: Session, strict: boolean): keyof typeof VERDICTS {
  if ([...findings.values()].some((one) => fails(one, strict))) return 1
  return unavailable.size > 0 ? 3 : 0
}

const countsWhenStrict = ({ state, switch: name }: VerifyFinding) => state === 'differs' && name !== undefined
const fails = (one: VerifyFinding, strict: boolean) => one.state === 'drift' || (strict && countsWhenStrict(one))

export function reportOf(session: Session, target: string, strict: boolean): Report {
  const { api, findings: found, leftovers: remaining, unavailable: reasons } = session
  const [findings, leftovers, unavailable] = [[...found.values()], [...remaining], [...reasons]]
  const unverifiable: Readonly<Record<string, string>> = Object.assign(
    { [api.conventions.unexpectedError]: 'An unexpected error cannot be provoked.' },
    ...Object.values(session.facts.operations).map((one) => one?.unverifiable),
  )
  const additional = [...session.additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field)
  const results = api.statements
    .filter(({ notShown }) => notShown !== true)
    .map(({ id, text }) => resultOf(id, text, findings, unverifiable[id] ?? 'No call in this run shows it.'))
  const ofInterpretations = api.interpretations
    .map(({ id, about }) => resultOf(id, about, findings, ''))
    .filter((one) => one.findings.length > 0)
  const count = (state: FindingState) => results.filter((one) => one.state === state).length
  const [ok, drift, differs, unchecked] = [count('ok'), count('drift'), count('differs'), count('unchecked')]
  const [checked, total] = [results.length - unchecked, results.length]
  const mismatches = session.contracts.flatMap(({ id }) => mismatchesOf(id, findings))
  const broken = [...new Set(mismatches.flatMap(({ cites }) => cites))].sort()
  const rules = broken.map((cite) => quoteRule(api, cite))
  return {
    title: 'countersign verify',
    target,
    verdicts: [VERDICTS[exitStatus(session, strict)]],
    sections: [
      { title: 'Operations', items: session.contracts.map(({ id }) => operationItem(id, findings)) },
      section('Rules', rules),
      section(
        'Additional fields, which the API document leaves open',
        additional.map(({ operation, where, type }) => `${operation}  ${where} (${type})`),
      ),
      section('Left at the provider', leftovers),
      section('Unavailable', unavailable),
      section('Unchecked', uncheckedLines([...results, ...ofInterpretations])),
    ],
    summary: `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} ${differs === 1 ? 'differs' : 'differ'} from an interpretation.${strictness(findings, strict)}`,
    findings: [
      ...byInterpretation(mismatches).map((alike) => mismatchFinding(alike, strict, session)),
      ...unavailable.map((message) => ({ basis: 'unavailable', message })),
    ],
    suites: {
      statements: results.map((one) => testCase('statements', one, strict)),
      interpretations: ofInterpretations.map((one) => testCase('interpretations', one, strict)),
      service: unavailable.map((failure) => ({
        classname: 'countersign.verify.service',
        name: 'the service is available',
        failure,
      })),
    },
    data: {
      kind: 'countersign verification',
      version: 1,
      target,
      summary: { ok, drift, differs, unchecked, checked, total },
      statements: results.map(plain),
      interpretations: ofInterpretations.map(plain),
      findings: findings.filter(({ state }) => state === 'drift' || state === 'differs'),
      switches: session.switches.map(({ evidence: _, ...one }) => one),
      additional,
      left: leftovers,
      unavailable,
    },
  }
}

const section = (title: string, lines: readonly string[]): Section => ({
  title,
  items: lines.map((text) => ({ text })),
})
const plain = ({ findings: _, ...result }: CitedResult) => result

function resultOf(id: Cite, text: string, all: readonly VerifyFinding[], unseen: string): CitedResult {
  const own = all.filter(({ cites }) => cites.includes(id))
  const isOpen = own.some(({ decisive }) => decisive)
  const states = isOpen ? STATES.filter((one) => one !== 'ok') : STATES
  const state = states.find((one) => own.some((finding) => finding.state === one)) ?? 'unchecked'
  const findings = own.filter((one) => one.state === state && (one.decisive || !isOpen || state !== 'unchecked'))
  const reasons = [...new Set(findings.map(sentence))].filter((one) => one !== '')
  const checked = own.filter((one) => one.state !== 'unchecked' && one.operation !== '')
  const operations = [...new Set(checked.map(({ operation }) => operation))]
  const reason = state === 'ok' ? '' : own.length === 0 ? unseen : reasons.join(' ')
  return { id, text, state, reason, operations, findings }
}

function sentence(one: VerifyFinding): string {
  const { where, message } = one
  return where === '' ? message : `${countInList(one) || `${where}: `}${message}`
}

/** How an operation departs, drift first; a switch that explains several answers is told once. */
function mismatchesOf(operation: string, all: readonly VerifyFinding[]): readonly VerifyFinding[] {
  const own = all.filter((one) => one.operation === operation)
  const settled = new Set(own.filter(countsWhenStrict).flatMap(({ cites }) => cites))
  const differing = own.filter(({ state }) => state === 'differs')
  const telling = differing.filter((one) => countsWhenStrict(one) || !one.cites.some((cite) => settled.has(cite)))
  return [...own.filter(({ state }) => state === 'drift'), ...telling]
}

function operationItem(operation: string, all: readonly VerifyFinding[]): Section['items'][number] {
  const mismatches = mismatchesOf(operation, all)
  const isSeen = all.some((one) => one.operation === operation && one.state === 'ok')
  const mark = MARKS[mismatches[0]?.state ?? (isSeen ? 'ok' : 'unchecked')]
  const lines = mismatches.map((one) => `${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}`)
  return { text: `${mark} ${operation}`, lines }
}

/** What departs from one interpretation is told once, wherever it does. */
function byInterpretation(mismatches: readonly VerifyFinding[]): readonly (readonly VerifyFinding[])[] {
  const interpretationIn = ({ state, cites }: VerifyFinding) =>
    state === 'differs' ? cites.find((cite) => !isStatement(cite)) : undefined
  return [...groupBy(mismatches, (one) => interpretationIn(one) ?? JSON.stringify(one)).values()]
}

function mismatchFinding(alike: readonly VerifyFinding[], strict: boolean, { api }: Session): Finding {
  const one = alike.find((finding) => fails(finding, strict)) ?? (alike[0] as VerifyFinding)
  const others = alike.length > 1 ? ` (and ${alike.length - 1} more of the same)` : ''
  return {
    level: fails(one, strict) ? 'error' : 'warning',
    basis: one.state,
    name: `${one.operation} (${one.cites.join(', ')})`,
    message: sentence(one) + others,
    rule: quoteRule(api, one.cites[0]),
  }
}

function uncheckedLines(results: readonly CitedResult[]): string[] {
  const unchecked = results.filter(({ state }) => state === 'unchecked')
  const byReason = groupBy(unchecked, ({ reason }) => reason)
  return Array.from(byReason, ([reason, alike]) => `${alike.map(({ id }) => id).join(', ')}  ${reason}`)
}

function testCase(suite: string, { id, text, state, reason, findings }: CitedResult, strict: boolean): TestCase {
  const head = { classname: `countersign.verify.${suite}`, name: `${id} ${text}` }
  if (state === 'unchecked') return { ...head, skipped: reason }
  const [failing] = findings.filter((one) => fails(one, strict))
  if (failing !== undefined) return { ...head, failure: [...new Set([failing, ...findings].map(sentence))].join('\n') }
  return reason === '' ? head : { ...head, note: reason }
}

function strictness(all: readonly VerifyFinding[], strict: boolean): string {
  const count = all.filter(countsWhenStrict).length
  if (count === 0) return ''
  const words = `${count} ${count === 1 ? 'interpretation has' : 'interpretations have'} a switch that fits`
  return ` ${words} ${strict ? '(counted because of --strict)' : "under 'interpretations' in the config file"}.`
}
