import { allCitesOf } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import { interpretations } from '../../../schemas/interpretations.js'
import { statements } from '../../../schemas/statements.js'
import type { Finding, State } from '../checks/findings.js'
import type { Verification } from '../verify.js'

/** The result for one statement or interpretation. */
export interface Result {
  readonly id: string
  readonly text: string
  readonly state: State
  /** What is different, or why it is unchecked; empty if it is ok. */
  readonly reason: string
  /** The operations in which it was checked. */
  readonly operations: readonly string[]
  readonly findings: readonly Finding[]
}

/** Statements that no call can show. */
const OUT_OF_SIGHT: Readonly<Record<string, string>> = {
  'S1.8': 'No operation shows the signatures of an account.',
  'S6.6': 'The mail does not arrive here.',
  'S6.8': 'Answers do not show what else a provider sends.',
  'SE.6': 'An unexpected error cannot be provoked.',
}

/** The results of every statement that says something, each once, in the document's order. */
export function statementResults({ findings, contracts }: Verification): readonly Result[] {
  const said = statements.filter((one) => !('notShown' in one))
  return said.map(({ id, text }) =>
    resultOf(
      id,
      text,
      findings.all,
      OUT_OF_SIGHT[id] ?? `No ${isShownBy(id, contracts) ? 'call' : 'operation'} in this run shows it.`,
    ),
  )
}

/** The results of every interpretation that a call can show, each once. */
export function interpretationResults({ findings }: Verification): readonly Result[] {
  return interpretations
    .map(({ id, about }) => resultOf(id, about, findings.all, 'No call shows it.'))
    .filter(({ findings }) => findings.length > 0)
}

function resultOf(id: string, text: string, all: readonly Finding[], unseen: string): Result {
  const own = all.filter(({ cites }) => (cites as readonly string[]).includes(id))
  const state = PRECEDENCE.find((one) => own.some((finding) => finding.state === one)) ?? 'unchecked'
  const telling = own.filter((finding) => finding.state === state)
  const reasons = [...new Set(telling.map(sentence))].filter((one) => one !== '')
  return {
    id,
    text,
    state,
    reason: state === 'ok' ? '' : own.length === 0 ? unseen : reasons.join(' '),
    operations: [...new Set(own.filter((one) => one.state !== 'unchecked').map(({ operation }) => operation))].filter(
      (operation) => operation !== '',
    ),
    findings: telling,
  }
}

/** What says more about a statement than the rest. */
const PRECEDENCE: readonly State[] = ['drift', 'differs', 'ok', 'unchecked']

/** A finding in words. */
export function sentence({ where, message, count, of, state }: Finding): string {
  if (state === 'unchecked' || where === '') return message
  return where.includes('[*]') ? `${where}, ${count} of ${of}: ${message}` : `${where}: ${message}`
}

/** Whether some operations may show a statement: one about all of them any may show. */
function isShownBy(id: string, contracts: readonly Contract[]): boolean {
  return /^S[0AUE]/.test(id) || contracts.some((contract) => citesOfContract(contract).includes(id))
}

function citesOfContract({ cites, responses, query, form, params }: Contract): string[] {
  const schemas = [query, form, params].flatMap((part) => Object.values(part?.properties ?? {}))
  return [...cites, ...Object.values(responses).flatMap((one) => one.cites), ...schemas.flatMap(allCitesOf)]
}

/** How many statements are in each state. */
export interface Totals extends Readonly<Record<State, number>> {
  readonly checked: number
  readonly total: number
}

export function totalsOf(results: readonly Result[]): Totals {
  const count = (state: State) => results.filter((one) => one.state === state).length
  return {
    ok: count('ok'),
    drift: count('drift'),
    differs: count('differs'),
    unchecked: count('unchecked'),
    checked: results.length - count('unchecked'),
    total: results.length,
  }
}

/** `61 of 79 statements checked: 58 ok, 1 drift, 2 differing.` */
export function summaryOf(totals: Totals): string {
  const { ok, drift, differs, checked, total } = totals
  return `${checked} of ${total} statements checked: ${ok} ok, ${drift} drift, ${differs} differing from a reading.`
}

/** Whether something departs from a reading that a switch could settle. */
export function countsWhenStrict({ state, switch: name }: Finding): boolean {
  return state === 'differs' && name !== undefined
}

/**
 * What is otherwise in an operation, drift first. Where a switch tells all of it, what each answer shows of it tells no
 * more.
 */
export function tellingOf(operation: string, all: readonly Finding[]): readonly Finding[] {
  const own = all.filter((one) => one.operation === operation)
  const settled = new Set(own.flatMap((one) => (one.switch === undefined ? [] : one.cites)))
  const differing = own.filter(
    ({ state, switch: name, cites }) =>
      state === 'differs' && (name !== undefined || !cites.some((cite) => settled.has(cite))),
  )
  return [...own.filter(({ state }) => state === 'drift'), ...differing]
}
