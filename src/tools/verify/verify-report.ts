import { quoteCitation } from '../../engine/contract/citable-texts.js'
import { allCitesOf, type Cite, isStatement } from '../../engine/contract/cites.js'
import { isReadOnly, successStatusOf } from '../../engine/contract/contract.js'
import { bodySchema } from '../../engine/contract/envelopes.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { describeCount } from '../../engine/judge/fold-deviations.js'
import { type Finding, findingCases, type Report, type Section, type TestCase } from '../report/report.js'
import type { FindingState, Session, VerifyFinding } from './session.js'

type CitedResult = ReturnType<typeof resultOf>

const MARKS = { drift: '✗', differs: '~', ok: '✓', unchecked: '·' }
const STATES = Object.keys(MARKS) as FindingState[]

const VERDICTS = {
  0: '✅ The provider behaves as documented.',
  1: '❌ The provider departs from the API document.',
  strict: '❌ The provider departs from an interpretation, which --strict forbids.',
  3: '⚠️ The provider could not be judged.',
} as const

const isSwitchDifference = ({ state, switch: name }: VerifyFinding) => state === 'differs' && name !== undefined
const fails = (one: VerifyFinding, strict: boolean) => one.state === 'drift' || (strict && isSwitchDifference(one))

/** `status` is the exit status. */
export function reportOf(session: Session, target: string, strict: boolean, minChecked: number) {
  const { api } = session
  const findings = [...session.findings.values()]
  const [leftovers, unavailable] = [[...session.leftovers], [...session.unavailable]]
  const unverifiable: Readonly<Record<string, string>> = Object.assign(
    { [api.conventions.unexpectedError]: 'An unexpected error cannot be provoked.' },
    ...Object.values(session.facts.operations).map((one) => one?.unverifiable),
  )
  const undocumentedFields = [...session.undocumentedFields]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, field]) => field)
  const [bodyCites, skipped] = [citesOfBodies(session, true), citesOfBodies(session, false)]
  const results = api.statements
    .filter(({ notShown }) => notShown !== true)
    .map(({ id, text }) => {
      const result = resultOf(id, text, findings, unverifiable[id] ?? (skipped.has(id) ? NEEDS_WRITES : NO_EVIDENCE))
      return unverifiable[id] === undefined ? result : { ...result, isCheckable: result.state !== 'unchecked' }
    })
  const interpretations = api.interpretations
    .map(({ id, about }) => resultOf(id, about, findings, ''))
    .filter((result) => result.findings.length > 0)
  const count = (state: FindingState) => results.filter((result) => result.state === state).length
  const [ok, drift, differs, unchecked] = [count('ok'), count('drift'), count('differs'), count('unchecked')]
  const [checked, total] = [results.length - unchecked, results.length]
  const checkable = results.filter(
    (one) => one.isCheckable && (one.findings.length > 0 || bodyCites.has(one.id)),
  ).length
  const tooFew = findTooFewChecked(checked, checkable, minChecked)
  const hasDrift = findings.some((one) => one.state === 'drift')
  const isFailed = hasDrift || findings.some((one) => fails(one, strict))
  const status = isFailed ? 1 : unavailable.length > 0 ? 3 : tooFew.length > 0 ? 1 : 0
  const reported = session.contracts.flatMap(({ id }) => reportedFindingsOf(id, findings))
  const departedFrom = [...new Set(reported.flatMap(({ cites }) => cites))].sort()
  const rules = departedFrom.map((cite) => quoteCitation(api, cite))
  const report: Report = {
    title: 'countersign verify',
    target,
    verdicts: [
      isFailed || status === 3 || tooFew.length === 0
        ? VERDICTS[isFailed && !hasDrift ? 'strict' : status]
        : `❌ ${tooFew[0]?.message}`,
    ],
    sections: [
      { title: 'Operations', items: session.contracts.map(({ id }) => operationItem(id, findings)) },
      section('Rules', rules),
      section(
        'Additional fields, which the API document leaves open',
        undocumentedFields.map(({ operation, where, type }) => `${operation}  ${where} (${type})`),
      ),
      section('Records left at the provider', leftovers),
      section('Unavailable', unavailable),
      section('Unchecked', uncheckedLines([...results, ...interpretations])),
    ],
    summary: `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} ${differs === 1 ? 'differs' : 'differ'} from an interpretation.${describeOtherDifferences(interpretations)}${describeSwitches(findings, strict)}`,
    findings: [
      ...groupByInterpretation(reported).map((group) => reportedFinding(group, strict, session)),
      ...unavailable.map((message) => ({ basis: 'unavailable', message })),
      ...tooFew,
    ],
    notes: tooFew.map(({ message }) => message),
    suites: {
      statements: results.map((one) => testCase('statements', one, strict)),
      interpretations: interpretations.map((one) => testCase('interpretations', one, strict)),
      service: unavailable.map((failure) => ({
        classname: 'countersign.verify.service',
        name: 'the service is available',
        failure,
      })),
      gates: findingCases(tooFew),
    },
    data: {
      kind: 'countersign verification',
      version: 1,
      target,
      summary: { ok, drift, differs, unchecked, checked, checkable, total },
      statements: results.map(withoutFindings),
      interpretations: interpretations.map(withoutFindings),
      findings: findings.filter(({ state }) => state === 'drift' || state === 'differs'),
      switches: session.switches.map(({ evidence: _, ...one }) => one),
      undocumentedFields,
      left: leftovers,
      unavailable,
    },
  }
  return { ...report, status }
}

function citesOfBodies({ contracts, allowWrites }: Session, isCalled: boolean): ReadonlySet<Cite> {
  const matching = contracts.filter((contract) => (allowWrites || isReadOnly(contract)) === isCalled)
  const schemas = matching.flatMap((contract) => bodySchema(contract, successStatusOf(contract)) ?? [])
  return new Set(schemas.flatMap(allCitesOf))
}

const NEEDS_WRITES = 'This check needs --allow-writes.'
const NO_EVIDENCE = 'No answer in this run proves or disproves it.'

function findTooFewChecked(checked: number, checkable: number, minChecked: number): Finding[] {
  const percent = checkable === 0 ? 0 : (100 * checked) / checkable
  if (percent >= minChecked) return []
  const message = `${percent.toFixed(1)} % of the ${checkable} statements that can be checked with these options were checked; ${minChecked} % are required.`
  return [{ basis: 'min-checked', name: `${minChecked} %`, message }]
}

const section = (title: string, lines: readonly string[]): Section => ({
  title,
  items: lines.map((text) => ({ text })),
})
const withoutFindings = ({ findings: _, isCheckable: __, ...result }: CitedResult) => result

function resultOf(id: Cite, text: string, allFindings: readonly VerifyFinding[], reasonWithoutFindings: string) {
  const citing = allFindings.filter(({ cites }) => cites.includes(id))
  const isOkPrevented = citing.some(({ preventsOk }) => preventsOk)
  const states = isOkPrevented ? STATES.filter((one) => one !== 'ok') : STATES
  const state = states.find((one) => citing.some((finding) => finding.state === one)) ?? 'unchecked'
  // A finding that prevents `ok` is the reason for `unchecked`.
  const explainsState = ({ preventsOk }: VerifyFinding) => preventsOk || !isOkPrevented || state !== 'unchecked'
  const findings = citing.filter((finding) => finding.state === state && explainsState(finding))
  const reasons = [...new Set(findings.map(sentence))].filter((text) => text !== '')
  const checked = citing.filter((finding) => finding.state !== 'unchecked' && finding.operation !== '')
  const operations = [...new Set(checked.map(({ operation }) => operation))]
  const reason = state === 'ok' ? '' : citing.length === 0 ? reasonWithoutFindings : reasons.join(' ')
  // False if this run lacks the option that the check needs.
  const isCheckable = state !== 'unchecked' || citing.length === 0 || !findings.every(({ lacksOption }) => lacksOption)
  return { id, text, state, reason, operations, findings, isCheckable }
}

function sentence(one: VerifyFinding): string {
  const { where, message } = one
  return where === '' ? message : `${describeCount(one) || `${where}: `}${message}`
}

/** Drift first. Omits a difference that a switch of the same interpretation already explains. */
function reportedFindingsOf(operation: string, allFindings: readonly VerifyFinding[]): readonly VerifyFinding[] {
  const findings = allFindings.filter((one) => one.operation === operation)
  const switchCites = new Set(findings.filter(isSwitchDifference).flatMap(({ cites }) => cites))
  const isReported = (one: VerifyFinding) => isSwitchDifference(one) || !one.cites.some((cite) => switchCites.has(cite))
  const differences = findings.filter((one) => one.state === 'differs' && isReported(one))
  return [...findings.filter(({ state }) => state === 'drift'), ...differences]
}

function operationItem(operation: string, all: readonly VerifyFinding[]): Section['items'][number] {
  const reported = reportedFindingsOf(operation, all)
  const isChecked = all.some((one) => one.operation === operation && one.state === 'ok')
  const mark = MARKS[reported[0]?.state ?? (isChecked ? 'ok' : 'unchecked')]
  const lines = reported.map((one) => `${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}`)
  return { text: `${mark} ${operation}`, lines }
}

/** One group for each interpretation that differs, and one for each drift. */
function groupByInterpretation(reported: readonly VerifyFinding[]): readonly (readonly VerifyFinding[])[] {
  const interpretationOf = ({ state, cites }: VerifyFinding) =>
    state === 'differs' ? cites.find((cite) => !isStatement(cite)) : undefined
  return [...groupBy(reported, (one) => interpretationOf(one) ?? JSON.stringify(one)).values()]
}

function reportedFinding(group: readonly VerifyFinding[], strict: boolean, { api }: Session): Finding {
  const example = group.find((finding) => fails(finding, strict)) ?? (group[0] as VerifyFinding)
  const others = group.length > 1 ? ` (and ${group.length - 1} more differences from the same interpretation)` : ''
  return {
    level: fails(example, strict) ? 'error' : 'warning',
    basis: example.state,
    name: `${example.operation} (${example.cites.join(', ')})`,
    message: sentence(example) + others,
    rule: quoteCitation(api, example.cites[0]),
  }
}

function uncheckedLines(results: readonly CitedResult[]): string[] {
  const unchecked = results.filter(({ state }) => state === 'unchecked')
  const byReason = groupBy(unchecked, ({ reason }) => reason)
  return Array.from(byReason, ([reason, group]) => `${group.map(({ id }) => id).join(', ')}  ${reason}`)
}

function testCase(suite: string, { id, text, state, reason, findings }: CitedResult, strict: boolean): TestCase {
  const head = { classname: `countersign.verify.${suite}`, name: `${id} ${text}` }
  if (state === 'unchecked') return { ...head, skipped: reason }
  const [failing] = findings.filter((one) => fails(one, strict))
  if (failing !== undefined) return { ...head, failure: [...new Set([failing, ...findings].map(sentence))].join('\n') }
  return reason === '' ? head : { ...head, note: reason }
}

function describeOtherDifferences(interpretations: readonly CitedResult[]): string {
  const isOfStatement = ({ cites }: VerifyFinding) => cites.some(isStatement)
  const { length } = interpretations.filter((one) => one.state === 'differs' && !one.findings.some(isOfStatement))
  return length === 0
    ? ''
    : ` The provider also departs from ${length} ${length === 1 ? 'interpretation that belongs' : 'interpretations that belong'} to no statement.`
}

function describeSwitches(all: readonly VerifyFinding[], strict: boolean): string {
  const { size } = new Set(all.filter(isSwitchDifference).map((one) => one.switch))
  if (size === 0) return ''
  const sentence = `${size} ${size === 1 ? 'interpretation' : 'interpretations'} can be set to match the provider`
  return strict
    ? ` ${sentence}; with --strict, each of them is a failure.`
    : ` ${sentence}: see --write-interpretations.`
}
