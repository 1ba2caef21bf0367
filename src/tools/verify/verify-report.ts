import { quoteCitation } from '../../engine/contract/citable-texts.js'
import { allCitesOf, type Cite, isStatement } from '../../engine/contract/cites.js'
import { isReadOnly, successStatusOf } from '../../engine/contract/contract.js'
import { bodySchema } from '../../engine/contract/envelopes.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { describeCountInList } from '../../engine/judge/fold-deviations.js'
import { type Finding, findingCases, type Report, type Section, type TestCase } from '../report/report.js'
import type { FindingState, Session, VerifyFinding } from './session.js'

type CitedResult = ReturnType<typeof resultOf>

const MARKS = { drift: '✗', differs: '~', ok: '✓', unchecked: '·' }
const STATES = Object.keys(MARKS) as FindingState[]

const VERDICTS = {
  0: '✅ The provider behaves as documented.',
  1: '❌ The provider departs from the API document.',
  3: '⚠️ The provider could not be judged.',
} as const

const isOfSwitch = ({ state, switch: name }: VerifyFinding) => state === 'differs' && name !== undefined
const fails = (one: VerifyFinding, strict: boolean) => one.state === 'drift' || (strict && isOfSwitch(one))

/** `status` is the exit status. */
export function reportOf(session: Session, target: string, strict: boolean, minChecked: number) {
  const { api, findings: found, leftovers: remaining, unavailable: reasons } = session
  const [findings, leftovers, unavailable] = [[...found.values()], [...remaining], [...reasons]]
  const unverifiable: Readonly<Record<string, string>> = Object.assign(
    { [api.conventions.unexpectedError]: 'An unexpected error cannot be provoked.' },
    ...Object.values(session.facts.operations).map((one) => one?.unverifiable),
  )
  const additional = [...session.additional].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, field]) => field)
  const results = api.statements
    .filter(({ notShown }) => notShown !== true)
    .map(({ id, text }) => {
      const result = resultOf(id, text, findings, unverifiable[id] ?? UNSEEN)
      return unverifiable[id] === undefined ? result : { ...result, isCheckable: result.state !== 'unchecked' }
    })
  const ofInterpretations = api.interpretations
    .map(({ id, about }) => resultOf(id, about, findings, ''))
    .filter((one) => one.findings.length > 0)
  const count = (state: FindingState) => results.filter((one) => one.state === state).length
  const [ok, drift, differs, unchecked] = [count('ok'), count('drift'), count('differs'), count('unchecked')]
  const [checked, total] = [results.length - unchecked, results.length]
  const isOfStatement = ({ cites }: VerifyFinding) => cites.some(isStatement)
  const others = ofInterpretations.filter((one) => one.state === 'differs' && !one.findings.some(isOfStatement)).length
  const more = others === 0 ? '' : ` ${others} more without a statement ${others === 1 ? 'differs' : 'differ'}.`
  const shown = shownByRun(session)
  const checkable = results.filter((one) => one.isCheckable && (one.findings.length > 0 || shown.has(one.id))).length
  const tooFew = tooFewFindings(checked, checkable, minChecked)
  const isFailed = findings.some((one) => fails(one, strict))
  const status = isFailed ? 1 : unavailable.length > 0 ? 3 : tooFew.length > 0 ? 1 : 0
  const mismatches = session.contracts.flatMap(({ id }) => mismatchesOf(id, findings))
  const broken = [...new Set(mismatches.flatMap(({ cites }) => cites))].sort()
  const rules = broken.map((cite) => quoteCitation(api, cite))
  const report: Report = {
    title: 'countersign verify',
    target,
    verdicts: [isFailed || tooFew.length === 0 ? VERDICTS[status] : `❌ ${tooFew[0]?.message}`],
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
    summary: `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} ${differs === 1 ? 'differs' : 'differ'} from an interpretation.${more}${describeSwitches(findings, strict)}`,
    findings: [
      ...groupByInterpretation(mismatches).map((group) => mismatchFinding(group, strict, session)),
      ...unavailable.map((message) => ({ basis: 'unavailable', message })),
      ...tooFew,
    ],
    notes: tooFew.map(({ message }) => message),
    suites: {
      statements: results.map((one) => testCase('statements', one, strict)),
      interpretations: ofInterpretations.map((one) => testCase('interpretations', one, strict)),
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
      interpretations: ofInterpretations.map(withoutFindings),
      findings: findings.filter(({ state }) => state === 'drift' || state === 'differs'),
      switches: session.switches.map(({ evidence: _, ...one }) => one),
      additional,
      left: leftovers,
      unavailable,
    },
  }
  return { ...report, status }
}

function shownByRun({ contracts, allowWrites }: Session): ReadonlySet<Cite> {
  const asked = contracts.filter((contract) => allowWrites || isReadOnly(contract))
  const schemas = asked.flatMap((contract) => bodySchema(contract, successStatusOf(contract)) ?? [])
  return new Set(schemas.flatMap(allCitesOf))
}

const UNSEEN = 'No answer in this run shows this.'

function tooFewFindings(checked: number, checkable: number, minChecked: number): Finding[] {
  const percent = checkable === 0 ? 0 : (100 * checked) / checkable
  if (percent >= minChecked) return []
  const message = `${percent.toFixed(1)} % of the ${checkable} statements that these options can check were checked; ${minChecked} % are required.`
  return [{ basis: 'min-checked', name: `${minChecked} %`, message }]
}

const section = (title: string, lines: readonly string[]): Section => ({
  title,
  items: lines.map((text) => ({ text })),
})
const withoutFindings = ({ findings: _, isCheckable: __, ...result }: CitedResult) => result

function resultOf(id: Cite, text: string, all: readonly VerifyFinding[], unseen: string) {
  const own = all.filter(({ cites }) => cites.includes(id))
  const isOkPrevented = own.some(({ preventsOk }) => preventsOk)
  const states = isOkPrevented ? STATES.filter((one) => one !== 'ok') : STATES
  const state = states.find((one) => own.some((finding) => finding.state === one)) ?? 'unchecked'
  const findings = own.filter(
    (one) => one.state === state && (one.preventsOk || !isOkPrevented || state !== 'unchecked'),
  )
  const reasons = [...new Set(findings.map(sentence))].filter((one) => one !== '')
  const checked = own.filter((one) => one.state !== 'unchecked' && one.operation !== '')
  const operations = [...new Set(checked.map(({ operation }) => operation))]
  const reason = state === 'ok' ? '' : own.length === 0 ? unseen : reasons.join(' ')
  // False if only other options could check the statement.
  const isCheckable = state !== 'unchecked' || own.length === 0 || !findings.every(({ lacksOption }) => lacksOption)
  return { id, text, state, reason, operations, findings, isCheckable }
}

function sentence(one: VerifyFinding): string {
  const { where, message } = one
  return where === '' ? message : `${describeCountInList(one) || `${where}: `}${message}`
}

/** Drift first. A difference without a switch is left out if a switch of its interpretation differs. */
function mismatchesOf(operation: string, all: readonly VerifyFinding[]): readonly VerifyFinding[] {
  const own = all.filter((one) => one.operation === operation)
  const citesOfSwitches = new Set(own.filter(isOfSwitch).flatMap(({ cites }) => cites))
  const differing = own.filter(({ state }) => state === 'differs')
  const reported = differing.filter((one) => isOfSwitch(one) || !one.cites.some((cite) => citesOfSwitches.has(cite)))
  return [...own.filter(({ state }) => state === 'drift'), ...reported]
}

function operationItem(operation: string, all: readonly VerifyFinding[]): Section['items'][number] {
  const mismatches = mismatchesOf(operation, all)
  const isSeen = all.some((one) => one.operation === operation && one.state === 'ok')
  const mark = MARKS[mismatches[0]?.state ?? (isSeen ? 'ok' : 'unchecked')]
  const lines = mismatches.map((one) => `${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}`)
  return { text: `${mark} ${operation}`, lines }
}

/** One group for each interpretation that differs, and one for each drift. */
function groupByInterpretation(mismatches: readonly VerifyFinding[]): readonly (readonly VerifyFinding[])[] {
  const interpretationIn = ({ state, cites }: VerifyFinding) =>
    state === 'differs' ? cites.find((cite) => !isStatement(cite)) : undefined
  return [...groupBy(mismatches, (one) => interpretationIn(one) ?? JSON.stringify(one)).values()]
}

function mismatchFinding(group: readonly VerifyFinding[], strict: boolean, { api }: Session): Finding {
  const one = group.find((finding) => fails(finding, strict)) ?? (group[0] as VerifyFinding)
  const others = group.length > 1 ? ` (and ${group.length - 1} more of the same)` : ''
  return {
    level: fails(one, strict) ? 'error' : 'warning',
    basis: one.state,
    name: `${one.operation} (${one.cites.join(', ')})`,
    message: sentence(one) + others,
    rule: quoteCitation(api, one.cites[0]),
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

function describeSwitches(all: readonly VerifyFinding[], strict: boolean): string {
  const { size } = new Set(all.filter(isOfSwitch).map((one) => one.switch))
  if (size === 0) return ''
  const words = `${size} ${size === 1 ? 'switch fits' : 'switches fit'} the provider`
  return strict ? ` ${words}, and each counts because of --strict.` : ` ${words}: see --write-interpretations.`
}
