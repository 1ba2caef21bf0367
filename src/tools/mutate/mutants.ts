import { isDeepStrictEqual as isSame } from 'node:util'
import { joinCites } from '../../engine/contract/cites.js'
import { type Contract, isSuccess, outcomeId, statusesOf } from '../../engine/contract/contract.js'
import { bodySchema } from '../../engine/contract/envelopes.js'
import type { Effects } from '../../engine/journal/exchange.js'
import { answerAlterations } from './answer-operators.js'
import { fieldOperators } from './field-operators.js'
import { changeAt, fieldsOf } from './fields.js'
import type { Alteration, AnsweredCall, Mutant, PlainAnswer } from './mutant.js'

/** One mutant for each outcome, place and operator. */
export function mutantsOf(contract: Contract): readonly Mutant[] {
  const mutants = mutantsByContract.get(contract) ?? makeMutants(contract)
  mutantsByContract.set(contract, mutants)
  return mutants
}

const mutantsByContract = new WeakMap<Contract, readonly Mutant[]>()

function makeMutants(contract: Contract): readonly Mutant[] {
  return statusesOf(contract).flatMap((status) => {
    const outcome = outcomeId(contract, status)
    return [...fieldAlterations(contract, status), ...answerAlterations(contract, status)]
      .filter(({ cites }) => cites.length > 0)
      .map((alteration) => ({
        ...alteration,
        id: `${outcome}/${alteration.place}/${alteration.operator}`,
        operation: contract.id,
        outcome,
        status,
        cites: joinCites(alteration.cites),
      }))
  })
}

/** True if the mutant changes this call's answer, its effect, or the query that is answered. */
export function isNoticeable(
  { status, alter, effect, query }: Mutant,
  answer: PlainAnswer,
  call: AnsweredCall,
  hadEffect: boolean,
): boolean {
  if (answer.status !== status) return false
  if (query !== undefined) return !isSame(query(call.sent), call.sent)
  const altered = alter(answer, call)
  return altered.status !== status || !isSame(altered.body, answer.body) || (effect === 'none' && hadEffect)
}

export function hasEffect({ effects, mails }: Effects): boolean {
  return effects.length + mails.length > 0
}

function fieldAlterations(contract: Contract, status: number): readonly Alteration[] {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (schema === undefined || (!isSuccess(response) && response?.provenance !== 'shown')) return []
  return fieldsOf(schema).flatMap((field) =>
    fieldOperators.map(({ name, kind = 'values', cites, change }) => ({
      kind,
      place: field.path.join('.'),
      operator: name,
      cites: cites(field, contract),
      alter: (answer, call) => ({
        ...answer,
        body: changeAt(answer.body, field.path, (value) => change(value, field, call)),
      }),
    })),
  )
}
