import type { Contract } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { jsonOr } from '../../engine/contract/json.js'
import { declaredOutcomeOf, type Exchange, isForced } from '../../engine/journal/exchange.js'
import { seededNumber } from '../../engine/sandbox/seeded.js'
import { fieldAt } from './fields.js'
import type { AnsweredCall, Mutant, PlainAnswer } from './mutant.js'
import { hasEffect, isNoticeable, mutantsOf } from './mutants.js'

/** A mutant that applies to an answer of the control run. */
export interface Candidate {
  readonly mutant: Mutant
  readonly text: string
  readonly due: string
  readonly got: string
}

/** Replace the port and the time of a run in reports. */
const FIXED_PORT = 4010
const FIXED_TIME = '2026-01-15T09:30:00.000Z'

export class Candidates {
  readonly byId = new Map<string, Candidate>()
  readonly outcomes = new Set<string>()

  add(exchange: Exchange): void {
    const { contract, answer, request, status, at } = exchange
    const outcome = declaredOutcomeOf(exchange)
    if (contract === null || outcome === null) return
    this.outcomes.add(outcome)
    const causes = answer.violations.filter(({ refusedWith }) => refusedWith === status)
    const isOpen = causes.length > 0 && causes.every(({ basis }) => basis === 'interpretation')
    // What the document leaves open is not altered.
    if (status === null || !answer.text || isOpen) return
    const text = normalizeBody(answer.text, at)
    const body = jsonOr(text, undefined)
    if (body === undefined) return
    const plainAnswer = { status, body }
    const call = { contract, sent: { ...request.query, ...request.form, ...request.params } }
    for (const mutant of mutantsOf(contract)) {
      if (!isBetterExample(text, this.byId.get(mutant.id))) continue
      // A forced answer has no effect to lose.
      const needsEffect = mutant.place === 'effect' || mutant.query !== undefined
      if (needsEffect && isForced(answer.cause)) continue
      if (!isNoticeable(mutant, plainAnswer, call, hasEffect(answer))) continue
      this.byId.set(mutant.id, { mutant, text, ...describeDifference(mutant, plainAnswer, call) })
    }
  }

  /** In the order of the contracts. */
  all(contracts: readonly Contract[]): readonly Candidate[] {
    return contracts.flatMap(mutantsOf).flatMap(({ id }) => this.byId.get(id) ?? [])
  }
}

/** Makes the body the same in every run. */
function normalizeBody(body: string, at: Exchange['at']): string {
  const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
  return body
    .replaceAll(/(?<=\bhttps?:\/\/)127\.0\.0\.1:\d+/g, `127.0.0.1:${FIXED_PORT}`)
    .replaceAll(new RegExp(`${day}T[\\d:.]+Z`, 'g'), FIXED_TIME)
}

/** Prefers short examples; does not depend on the order of arrival. */
function isBetterExample(text: string, current: Candidate | undefined): boolean {
  if (current === undefined || text.length < current.text.length) return true
  return text.length === current.text.length && text < current.text
}

function describeDifference(mutant: Mutant, answer: PlainAnswer, call: AnsweredCall): Pick<Candidate, 'due' | 'got'> {
  const { place, operator, effect, status } = mutant
  if (mutant.query !== undefined) return { due: `page ${call.sent[place]}`, got: 'the records of page 1' }
  const done = 'the change is made'
  if (place === 'effect' && effect === 'none') return { due: done, got: 'nothing changes' }
  if (place === 'effect') return { due: `${status}`, got: `${operator.slice(-3)}, although ${done}` }
  const altered = mutant.alter(answer, call)
  if (altered.status !== status) return { due: `${status}`, got: `${altered.status}` }
  const path = place === 'answer' ? [] : place.split('.')
  const textIn = ({ body }: PlainAnswer) => JSON.stringify(fieldAt(body, path)) ?? 'nothing'
  const [due, got] = [textIn(answer), textIn(altered)]
  const firstDifference = [...due].findIndex((character, at) => character !== got[at])
  const start = Math.max(0, (firstDifference < 0 ? due.length : firstDifference) - BEFORE_DIFFERENCE)
  return { due: excerpt(due, start), got: excerpt(got, start) }
}

/** Characters. */
const LONGEST_EXCERPT = 120
const BEFORE_DIFFERENCE = 30

function excerpt(text: string, start: number): string {
  if (text.length <= LONGEST_EXCERPT) return text
  const end = start + LONGEST_EXCERPT
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Spread over operations, then outcomes, then operators. The same seed gives the same order. */
export function drawMutants(candidates: readonly Candidate[], seed: string): readonly Candidate[] {
  const keyed = candidates.map((candidate, at) => ({ candidate, key: seededNumber(seed, 'mutate', at) }))
  const shuffled = keyed.sort((one, other) => one.key - other.key).map(({ candidate }) => candidate)
  return spread(shuffled, ['operation', 'outcome', 'operator'])
}

/** Takes one candidate of each group in turn. */
function spread(
  candidates: readonly Candidate[],
  [key, ...others]: readonly ('operation' | 'outcome' | 'operator')[],
): readonly Candidate[] {
  if (key === undefined) return candidates
  const queues = [...groupBy(candidates, ({ mutant }) => mutant[key]).values()].map((group) => spread(group, others))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue[at] ?? [])).flat()
}
