import { interpretations } from '../../../schemas/interpretations.js'
import { onOneLine } from '../../text/wording.js'
import type { Finding, State } from '../checks/findings.js'
import type { Verification } from '../verify.js'
import {
  countsWhenStrict,
  interpretationResults,
  type Result,
  sentence,
  statementResults,
  summaryOf,
  tellingOf,
  totalsOf,
} from './results.js'

const MARKS: Readonly<Record<State, string>> = { ok: '✓', drift: '✗', differs: '~', unchecked: '·' }

/** Characters of a line; what a provider says is in it, and must not begin another. */
const LONGEST = 10_000

/** The findings for people: differences by operation, then what is unchecked, and a summary. */
export function asText(verification: Verification, strict: boolean): string {
  const { findings, contracts, unavailable } = verification
  const results = statementResults(verification)
  return [
    ...contracts.flatMap(({ id }) => operationLines(id, findings.all)),
    ...section('Our readings, where the document is silent', readingsOf(findings.all)),
    ...section(
      'Additional fields, which the document leaves open',
      findings.additional.map(({ operation, where, type }) => `${operation}  ${where} (${type})`),
    ),
    ...section('Unchecked', uncheckedLines([...results, ...interpretationResults(verification)])),
    ...section('Left at the provider', findings.left),
    ...section('Unavailable', unavailable),
    '',
    summaryOf(totalsOf(results)) + strictness(findings.all, strict),
  ]
    .map((line) => onOneLine(line, LONGEST))
    .join('\n')
    .replace(/^\n+/, '')
}

function operationLines(operation: string, all: readonly Finding[]): string[] {
  const own = all.filter((one) => one.operation === operation)
  const telling = tellingOf(operation, all)
  const held = new Set(own.filter(({ state }) => state === 'ok').flatMap(({ cites }) => cites))
  const head =
    telling.length === 0 ? (held.size === 0 ? '·' : '✓') : telling.some(({ state }) => state === 'drift') ? '✗' : '~'
  return [
    `${head} ${operation}`,
    ...telling.map((one) => `    ${MARKS[one.state]} ${one.cites.join(', ')}  ${sentence(one)}`),
  ]
}

/** Unchecked statements, grouped by reason. */
function uncheckedLines(results: readonly Result[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { id, state, reason } of results) {
    if (state === 'unchecked') reasons.set(reason, [...(reasons.get(reason) ?? []), id])
  }
  return [...reasons].map(([reason, ids]) => `${ids.join(', ')}  ${reason}`)
}

function readingsOf(all: readonly Finding[]): string[] {
  const departed = new Set(
    all.filter(({ state }) => state === 'differs').flatMap(({ cites }) => cites as readonly string[]),
  )
  return interpretations
    .filter(({ id }) => departed.has(id))
    .map(({ id, about, decision }) => `${id} ${about}: ${decision}`)
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}

function strictness(all: readonly Finding[], strict: boolean): string {
  const count = all.filter(countsWhenStrict).length
  if (count === 0) return ''
  const words = `${count} ${count === 1 ? 'reading' : 'readings'} could be switched`
  return ` ${words} ${strict ? '(counted because of --strict)' : "under 'interpretations' in the config file"}.`
}
