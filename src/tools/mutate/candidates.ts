import type { Contract } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { jsonOr } from '../../engine/contract/json.js'
import { declaredOutcomeOf, type Exchange, isForced } from '../../engine/journal/exchange.js'
import { randomNumbers } from '../../engine/sandbox/random.js'
import { fieldAt } from './fields.js'
import type { AnsweredCall, Mutant, PlainAnswer } from './mutant.js'
import { hasEffect, isNoticeable, mutantsOf } from './mutants.js'

/** A mutant whose answer the control run met. */
export interface Candidate {
  readonly mutant: Mutant
  readonly text: string
  readonly due: string
  readonly got: string
}

/** Replace the port and time of a run in reports. */
const SOME_PORT = 4010
const SOME_TIME = '2026-01-15T09:30:00.000Z'

export class Candidates {
  readonly byId = new Map<string, Candidate>()
  readonly outcomes = new Set<string>()

  meet(exchange: Exchange): void {
    const { contract, answer, request, status, at } = exchange
    const outcome = declaredOutcomeOf(exchange)
    if (contract === null || outcome === null) return
    this.outcomes.add(outcome)
    if (status === null || !answer.text) return
    const text = timeless(answer.text, at)
    const body = jsonOr(text, undefined)
    if (body === undefined) return
    const plain = { status, body }
    const call = { contract, sent: { ...request.query, ...request.form, ...request.params } }
    for (const mutant of mutantsOf(contract)) {
      if (!isBetter(text, this.byId.get(mutant.id))) continue
      // A forced answer has no effect to lose.
      const isOfEffect = mutant.place === 'effect' || mutant.query !== undefined
      if ((isOfEffect && isForced(answer.cause)) || !isNoticeable(mutant, plain, call, hasEffect(answer))) continue
      this.byId.set(mutant.id, { mutant, text, ...difference(mutant, plain, call) })
    }
  }

  /** In the document's order. */
  all(contracts: readonly Contract[]): readonly Candidate[] {
    return contracts.flatMap(mutantsOf).flatMap(({ id }) => this.byId.get(id) ?? [])
  }
}

/** The same in every run. */
function timeless(body: string, at: Exchange['at']): string {
  const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
  return body
    .replaceAll(/(?<=\bhttps?:\/\/)127\.0\.0\.1:\d+/g, `127.0.0.1:${SOME_PORT}`)
    .replaceAll(new RegExp(`${day}T[\\d:.]+Z`, 'g'), SOME_TIME)
}

/** Prefers short examples, in any order of arrival. */
function isBetter(text: string, known: Candidate | undefined): boolean {
  if (known === undefined || text.length < known.text.length) return true
  return text.length === known.text.length && text < known.text
}

function difference(mutant: Mutant, answer: PlainAnswer, call: AnsweredCall): Pick<Candidate, 'due' | 'got'> {
  const { place, operator, effect, status } = mutant
  if (mutant.query !== undefined) return { due: `page ${call.sent[place]}`, got: 'the records of page 1' }
  const done = 'it takes place'
  if (place === 'effect' && effect === 'none') return { due: done, got: 'nothing changes' }
  if (place === 'effect') return { due: `${status}`, got: `${operator.slice(-3)}, though ${done}` }
  const altered = mutant.alter(answer, call)
  if (altered.status !== status) return { due: `${status}`, got: `${altered.status}` }
  const path = place === 'answer' ? [] : place.split('.')
  const textIn = ({ body }: PlainAnswer) => JSON.stringify(fieldAt(body, path)) ?? 'nothing'
  const [due, got] = [textIn(answer), textIn(altered)]
  const common = [...due].findIndex((character, at) => character !== got[at])
  const start = Math.max(0, (common < 0 ? due.length : common) - BEFORE)
  return { due: excerpt(due, start), got: excerpt(got, start) }
}

const LONGEST = 120
const BEFORE = 30

function excerpt(text: string, start: number): string {
  if (text.length <= LONGEST) return text
  const end = start + LONGEST
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Spread over operations, then outcomes, then operators. The same seed gives the same order. */
export function drawMutants(candidates: readonly Candidate[], seed: string): readonly Candidate[] {
  const draw = randomNumbers(seed, 'mutate')
  const keys = candidates.map((candidate) => ({ candidate, key: draw() }))
  const shuffled = keys.sort((one, other) => one.key - other.key).map(({ candidate }) => candidate)
  return spread(shuffled, ['operation', 'outcome', 'operator'])
}

/** Takes one of each group in turn. */
function spread(
  all: readonly Candidate[],
  [key, ...others]: readonly ('operation' | 'outcome' | 'operator')[],
): readonly Candidate[] {
  if (key === undefined) return all
  const queues = [...groupBy(all, ({ mutant }) => mutant[key]).values()].map((group) => spread(group, others))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue[at] ?? [])).flat()
}
