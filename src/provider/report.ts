import { type Cite, textOf } from '../../schemas/cites.js'
import { interpretations } from '../../schemas/interpretations.js'
import { statements } from '../../schemas/statements.js'
import { groupBy } from '../text/group-by.js'
import { codeSpan, escapeMarkdown, proseMarkdown } from '../text/markdown.js'
import type { Report, Section, TestCase } from '../text/report.js'
import type { FindingState, VerifyFinding } from './session.js'
import type { Verification } from './verify.js'

interface CitedResult {
  readonly id: Cite
  readonly text: string
  readonly state: FindingState
  readonly reason: string
  readonly operations: readonly string[]
  readonly findings: readonly VerifyFinding[]
}

const UNVERIFIABLE: Readonly<Record<string, string>> = {
  'S1.8': 'No operation shows the signatures of an account.',
  'S6.6': 'The mail does not arrive here.',
  'S6.8': 'Answers do not show what else a provider sends.',
  'SE.6': 'An unexpected error cannot be provoked.',
}

const MARKS = { drift: '✗', differs: '~', ok: '✓', unchecked: '·' }
const STATES = Object.keys(MARKS) as FindingState[]

const VERDICTS = {
  0: '✅ The provider is as documented.',
  1: '❌ The provider departs from the document.',
  3: '⚠️ The provider could not be judged.',
} as const

export function exitStatus(
  { session: { findings, unavailable } }: Verification,
  strict: boolean,
): keyof typeof VERDICTS {
  if ([...findings.values()].some((one) => fails(one, strict))) return 1
  return unavailable.size > 0 ? 3 : 0
}

const countsWhenStrict = ({ state, switch: name }: VerifyFinding) => state === 'differs' && name !== undefined
const fails = (one: VerifyFinding, strict: boolean) => one.state === 'drift' || (strict && countsWhenStrict(one))

export function reportOf(verification: Verification, target: string, strict: boolean): Report {
  const { session, switches } = verification
  const [findings, left, unavailable] = [[...session.findings.values()], [...session.left], [...session.unavailable]]
  const additional = [...session.additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field)
  const ofStatements = statements
    .filter((one) => !('notShown' in one))
    .map(({ id, text }) => resultOf(id, text, findings, UNVERIFIABLE[id] ?? 'No call in this run shows it.'))
  const ofInterpretations = interpretations
    .map(({ id, about }) => resultOf(id, about, findings, ''))
    .filter((one) => one.findings.length > 0)
  const all = [...ofStatements, ...ofInterpretations]
  const withState = (state: FindingState, results = ofStatements) => results.filter((one) => one.state === state)
  const [drift, differs, ok, unchecked] = STATES.map((state) => withState(state).length) as [
    number,
    number,
    number,
    number,
  ]
  const [total, checked] = [ofStatements.length, ofStatements.length - unchecked]
  const byOperation = session.contracts.map(({ id }) => ({ id, telling: tellingOf(id, findings) }))
  const leftSection = section('Left at the provider', left)
  return {
    name: 'countersign verify',
    target,
    verdicts: [VERDICTS[exitStatus(verification, strict)]],
    terminal: [
      ...byOperation.map(({ id, telling }) => {
        const isSeen = findings.some(({ operation, state }) => operation === id && state === 'ok')
        const items = telling.map((one) => `${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}`)
        return section(`${MARKS[telling[0]?.state ?? (isSeen ? 'ok' : 'unchecked')]} ${id}`, items)
      }),
      section(
        'Our interpretations, where the document is silent',
        withState('differs', ofInterpretations).map(({ id }) => `${id} ${textOf(id)}`),
      ),
      section(
        'Additional fields, which the document leaves open',
        additional.map(({ operation, where, type }) => `${operation}  ${where} (${type})`),
      ),
      section(
        'Unchecked',
        Array.from(
          groupBy(withState('unchecked', all), ({ reason }) => reason),
          ([reason, alike]) => `${alike.map(({ id }) => id).join(', ')}  ${reason}`,
        ),
      ),
      leftSection,
      section('Unavailable', unavailable),
    ],
    markdown: [
      { ...section(undefined, unavailable.map(escapeMarkdown)), called: 'reasons' },
      { title: 'Drift', items: withState('drift').map(itemOf), called: 'statements' },
      { title: 'Differs from an interpretation', items: withState('differs', all).map(itemOf), called: 'statements' },
      { ...section(leftSection.title, left.map(escapeMarkdown)), called: 'records' },
      {
        title: `Unchecked: ${unchecked} statements`,
        items: withState('unchecked').map(({ id, reason }) => ({ name: `${id}: ${escapeMarkdown(reason)}` })),
        called: 'unchecked statements',
        folded: true,
      },
    ],
    summary: `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} differing from an interpretation.${strictness(findings, strict)}`,
    findings: [
      ...byOperation
        .flatMap(({ telling }) => telling)
        .map((one) => ({
          level: fails(one, strict) ? ('error' as const) : ('warning' as const),
          basis: one.state,
          name: `${one.operation} (${one.cites.join(', ')})`,
          message: [sentence(one), ...one.cites.slice(0, 1).map((cite) => `${cite}: ${textOf(cite)}`)].join('\n'),
        })),
      ...unavailable.map((message) => ({ basis: 'unavailable', message })),
    ],
    suites: [
      { name: 'statements', cases: ofStatements.map((one) => testCase('statements', one, strict)) },
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
      summary: { ok, drift, differs, unchecked, checked, total },
      statements: ofStatements.map(({ findings: _, ...one }) => one),
      interpretations: ofInterpretations.map(({ findings: _, ...one }) => one),
      findings: findings.filter(({ state }) => state === 'drift' || state === 'differs'),
      switches: switches.map(({ evidence: _, ...one }) => one),
      additional,
      left,
      unavailable,
    },
  }
}

function section(title: string | undefined, lines: readonly string[]): Section {
  return { title, items: lines.map((name) => ({ name })) }
}

function resultOf(id: Cite, text: string, all: readonly VerifyFinding[], unseen: string): CitedResult {
  const own = all.filter(({ cites }) => cites.includes(id))
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

/** The differences of an operation, drift first; a switch replaces the single answers that it explains. */
function tellingOf(operation: string, all: readonly VerifyFinding[]): readonly VerifyFinding[] {
  const own = all.filter((one) => one.operation === operation)
  const settled = new Set(own.filter(countsWhenStrict).flatMap(({ cites }) => cites))
  const differing = own.filter(({ state }) => state === 'differs')
  const telling = differing.filter((one) => countsWhenStrict(one) || !one.cites.some((cite) => settled.has(cite)))
  return [...own.filter(({ state }) => state === 'drift'), ...telling]
}

function itemOf({ id, text, findings }: CitedResult) {
  const lines = findings.map((one) => {
    const operation = one.operation === '' ? '' : `${codeSpan(one.operation)}: `
    return `${operation}${escapeMarkdown(sentence(one))}`
  })
  return { name: `**${id}** ${proseMarkdown(text)}`, lines: [...new Set(lines)] }
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
