import { textOf } from '../../schemas/cites.js'
import { interpretations } from '../../schemas/interpretations.js'
import { statements } from '../../schemas/statements.js'
import { groupBy } from '../text/group-by.js'
import { codeSpan, escapeMarkdown, proseMarkdown } from '../text/markdown.js'
import type { Report, Section, TestCase } from '../text/report.js'
import type { FindingState, VerifyFinding } from './session.js'
import type { Verification } from './verify.js'

/** The result for one statement or interpretation. */
interface CitedResult {
  readonly id: string
  readonly text: string
  readonly state: FindingState
  /** The difference, or why it is unchecked; empty if it is ok. */
  readonly reason: string
  readonly operations: readonly string[]
  readonly findings: readonly VerifyFinding[]
}

/** Statements that no call can show. */
const UNVERIFIABLE: Readonly<Record<string, string>> = {
  'S1.8': 'No operation shows the signatures of an account.',
  'S6.6': 'The mail does not arrive here.',
  'S6.8': 'Answers do not show what else a provider sends.',
  'SE.6': 'An unexpected error cannot be provoked.',
}

const STATES: readonly FindingState[] = ['drift', 'differs', 'ok', 'unchecked']
const MARKS: Readonly<Record<FindingState, string>> = { ok: '✓', drift: '✗', differs: '~', unchecked: '·' }

const VERDICTS = {
  0: '✅ The provider is as documented.',
  1: '❌ The provider departs from the document.',
  3: '⚠️ The provider could not be judged.',
} as const

/** 0 as documented, 1 otherwise, 3 if the service could not be judged. */
export function exitStatus({ session, unavailable }: Verification, strict: boolean): 0 | 1 | 3 {
  if ([...session.findings.values()].some((one) => fails(one, strict))) return 1
  return unavailable.length > 0 ? 3 : 0
}

const countsWhenStrict = ({ state, switch: name }: VerifyFinding) => state === 'differs' && name !== undefined
const fails = (one: VerifyFinding, strict: boolean) => one.state === 'drift' || (strict && countsWhenStrict(one))

export function reportOf(verification: Verification, target: string, strict: boolean): Report {
  const { session, unavailable, switches } = verification
  const { contracts } = session
  const [findings, left] = [[...session.findings.values()], [...session.left]]
  const additional = [...session.additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field)
  const results = statements
    .filter((one) => !('notShown' in one))
    .map(({ id, text }) => resultOf(id, text, findings, UNVERIFIABLE[id] ?? 'No call in this run shows it.'))
  const ofInterpretations = interpretations
    .map(({ id, about }) => resultOf(id, about, findings, ''))
    .filter((one) => one.findings.length > 0)
  const all = [...results, ...ofInterpretations]
  const unchecked = results.filter(({ state }) => state === 'unchecked')
  const count = (state: FindingState) => results.filter((one) => one.state === state).length
  const [ok, drift, differs, total] = [count('ok'), count('drift'), count('differs'), results.length]
  const checked = total - unchecked.length
  const departed = new Set<string>(findings.filter(({ state }) => state === 'differs').flatMap(({ cites }) => cites))
  const cited = interpretations.filter(({ id }) => departed.has(id))
  return {
    name: 'countersign verify',
    target,
    verdicts: [VERDICTS[exitStatus(verification, strict)]],
    terminal: [
      ...contracts.map(({ id }) => operationSection(id, findings)),
      section(
        'Our interpretations, where the document is silent',
        cited.map(({ id, about, decision }) => `${id} ${about}: ${decision}`),
      ),
      section(
        'Additional fields, which the document leaves open',
        additional.map(({ operation, where, type }) => `${operation}  ${where} (${type})`),
      ),
      section('Unchecked', uncheckedLines(all)),
      section('Left at the provider', left),
      section('Unavailable', unavailable),
    ],
    markdown: [
      { items: unavailable.map((one) => ({ name: escapeMarkdown(one) })), called: 'reasons' },
      resultSection('Drift', results, 'drift'),
      resultSection('Differs from an interpretation', all, 'differs'),
      { ...section('Left at the provider', left.map(escapeMarkdown)), called: 'records' },
      {
        ...section(
          `Unchecked: ${unchecked.length} statements`,
          unchecked.map(({ id, reason }) => `${id}: ${escapeMarkdown(reason)}`),
        ),
        called: 'unchecked statements',
        folded: true,
      },
    ],
    summary: `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} differing from an interpretation.${strictness(findings, strict)}`,
    findings: [
      ...contracts
        .flatMap(({ id }) => tellingOf(id, findings))
        .map((one) => ({
          level: fails(one, strict) ? ('error' as const) : ('warning' as const),
          basis: one.state,
          name: `${one.operation} (${one.cites.join(', ')})`,
          message: [sentence(one), ...one.cites.slice(0, 1).map((cite) => `${cite}: ${textOf(cite)}`)].join('\n'),
        })),
      ...unavailable.map((message) => ({ basis: 'unavailable', message })),
    ],
    suites: [
      { name: 'statements', cases: results.map((one) => testCase('statements', one, strict)) },
      { name: 'interpretations', cases: ofInterpretations.map((one) => testCase('interpretations', one, strict)) },
      {
        name: 'service',
        cases: unavailable.map((message) => ({
          classname: 'countersign.verify.service',
          name: 'the service is available',
          failure: { message, text: message },
        })),
      },
    ],
    data: {
      kind: 'countersign verification',
      version: 1,
      target,
      summary: { ok, drift, differs, unchecked: unchecked.length, checked, total },
      statements: results.map(plain),
      interpretations: ofInterpretations.map(plain),
      findings: findings.filter(({ state }) => state === 'drift' || state === 'differs'),
      switches: switches.map(({ evidence: _, ...one }) => one),
      additional,
      left,
      unavailable,
    },
  }
}

const section = (title: string, lines: readonly string[]) => ({ title, items: lines.map((name) => ({ name })) })
const plain = ({ findings: _, ...result }: CitedResult) => result

function resultOf(id: string, text: string, all: readonly VerifyFinding[], unseen: string): CitedResult {
  const own = all.filter(({ cites }) => cites.some((cite) => cite === id))
  const state = STATES.find((one) => own.some((finding) => finding.state === one)) ?? 'unchecked'
  const findings = own.filter((finding) => finding.state === state)
  const reasons = [...new Set(findings.map(sentence))].filter((one) => one !== '')
  const checked = own.filter((one) => one.state !== 'unchecked' && one.operation !== '')
  const operations = [...new Set(checked.map(({ operation }) => operation))]
  const reason = state === 'ok' ? '' : own.length === 0 ? unseen : reasons.join(' ')
  return { id, text, state, reason, operations, findings }
}

function sentence({ where, message, count, of, state }: VerifyFinding): string {
  if (state === 'unchecked' || where === '') return message
  return where.includes('[*]') ? `${where}, ${count} of ${of}: ${message}` : `${where}: ${message}`
}

/** What is otherwise in an operation, drift first; what a switch tells whole is not told by single answers as well. */
function tellingOf(operation: string, all: readonly VerifyFinding[]): readonly VerifyFinding[] {
  const own = all.filter((one) => one.operation === operation)
  const settled = new Set(own.filter(countsWhenStrict).flatMap(({ cites }) => cites))
  const differing = own.filter(({ state }) => state === 'differs')
  const telling = differing.filter((one) => countsWhenStrict(one) || !one.cites.some((cite) => settled.has(cite)))
  return [...own.filter(({ state }) => state === 'drift'), ...telling]
}

function operationSection(operation: string, all: readonly VerifyFinding[]): Section {
  const telling = tellingOf(operation, all)
  const isSeen = all.some((one) => one.operation === operation && one.state === 'ok')
  const mark = MARKS[telling[0]?.state ?? (isSeen ? 'ok' : 'unchecked')]
  const items = telling.map((one) => ({ name: `${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}` }))
  return { title: `${mark} ${operation}`, items }
}

function uncheckedLines(results: readonly CitedResult[]): string[] {
  const byReason = groupBy(
    results.filter(({ state }) => state === 'unchecked'),
    ({ reason }) => reason,
  )
  return Array.from(byReason, ([reason, alike]) => `${alike.map(({ id }) => id).join(', ')}  ${reason}`)
}

function resultSection(title: string, results: readonly CitedResult[], state: FindingState): Section {
  const placeOf = (one: VerifyFinding) =>
    `${one.operation === '' ? '' : `${codeSpan(one.operation)}: `}${escapeMarkdown(sentence(one))}`
  const items = results
    .filter((one) => one.state === state)
    .map(({ id, text, findings }) => ({
      name: `**${id}** ${proseMarkdown(text)}`,
      lines: [...new Set(findings.map(placeOf))],
    }))
  return { title, items, called: 'statements' }
}

function testCase(suite: string, { id, text, state, reason, findings }: CitedResult, strict: boolean): TestCase {
  const head = { classname: `countersign.verify.${suite}`, name: `${id} ${text}` }
  if (state === 'unchecked') return { ...head, skipped: reason }
  const [failing] = findings.filter((one) => fails(one, strict))
  if (failing !== undefined) return { ...head, failure: { message: sentence(failing), text: reason } }
  return reason === '' ? head : { ...head, note: reason }
}

function strictness(all: readonly VerifyFinding[], strict: boolean): string {
  const count = all.filter(countsWhenStrict).length
  if (count === 0) return ''
  const words = `${count} ${count === 1 ? 'interpretation' : 'interpretations'} could be switched`
  return ` ${words} ${strict ? '(counted because of --strict)' : "under 'interpretations' in the config file"}.`
}
