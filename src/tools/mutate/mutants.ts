import { isDeepStrictEqual as isSame } from 'node:util'
import { bodySchema } from '../../../schemas/bodies.js'
import { joinedCites, quoteRule } from '../../../schemas/cites.js'
import { type Contract, isSuccess, outcomeId, statusesOf } from '../../../schemas/contract.js'
import type { Scenario } from '../../mock/sandbox/scenarios/scenario.js'
import { answerAlterations } from './answer-operators.js'
import { fieldOperators } from './field-operators.js'
import { changeAt, fieldsOf } from './fields.js'
import type { Alteration, AlteredCall, Mutant, PlainAnswer } from './mutant.js'

/** Every mutant of an operation: one for each statement, place and operator. What the document leaves open is none. */
export function mutantsOf(contract: Contract): readonly Mutant[] {
  return statusesOf(contract).flatMap((status) => {
    const outcome = outcomeId(contract, status)
    return [...fieldAlterations(contract, status), ...answerAlterations(contract, status)]
      .filter(({ cites }) => cites.length > 0)
      .map((one) => ({
        ...one,
        id: `${outcome}/${one.place}/${one.operator}`,
        operation: contract.id,
        outcome,
        status,
        cites: joinedCites(one.cites),
      }))
  })
}

function mutantNamed(id: string, contracts: readonly Contract[]): Mutant | undefined {
  const contract = contracts.find((one) => id.startsWith(`${one.id}:`))
  return contract && mutantsOf(contract).find((mutant) => mutant.id === id)
}

/** True if the client gets another answer, now or later, than without the mutant. */
export function isNoticeable(
  { status, alter, effect, query }: Mutant,
  answer: PlainAnswer,
  asked: AlteredCall,
): boolean {
  if (answer.status !== status) return false
  if (query !== undefined) return !isSame(query(asked.sent), asked.sent)
  const altered = alter(answer, asked)
  return altered.status !== status || !isSame(altered.body, answer.body) || effect !== undefined
}

/** The document leaves the bodies of errors open that it does not show. */
function fieldAlterations(contract: Contract, status: number): readonly Alteration[] {
  const response = contract.responses[status]
  const schema = bodySchema(contract, status)
  if (schema === undefined || (!isSuccess(response) && response?.provenance !== 'shown')) return []
  return fieldsOf(schema).flatMap((field) =>
    fieldOperators.map(({ name, cites, change }) => ({
      place: field.path.join('.'),
      operator: name,
      cites: cites(field, contract),
      alter: (answer, asked) => ({
        ...answer,
        body: changeAt(answer.body, field.path, (value) => change(value, field, asked)),
      }),
    })),
  )
}

const PREFIX = 'mutant:'

/** The scenario that alters answers as a mutant does while it is on: `mutant:ID`. Lists of scenarios leave it out. */
export function mutantScenario(name: string, contracts: readonly Contract[]): Scenario | undefined {
  const mutant = name.startsWith(PREFIX) ? mutantNamed(name.slice(PREFIX.length), contracts) : undefined
  if (mutant === undefined) return undefined
  const { id, outcome, place, operator, cites } = mutant
  const description = `Makes answers untrue: ${outcome}, ${place}, ${operator}. ${quoteRule(cites[0])}`
  return { name, source: 'shipped', description, rules: [], mutant: id }
}
