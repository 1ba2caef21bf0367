import { quote } from '../../text/wording.js'
import { isUnforced } from '../../world/journal/exchange.js'
import { baseUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import { withLinks } from './answer.js'
import type { Outgoing } from './outgoing.js'
import type { StepContext } from './step-context.js'

/** The ids of the mutants that a call may have to do with: the one that it asks for itself first. */
function mutantsOf({ world, preferences }: StepContext): readonly string[] {
  const { mutant } = world.settings
  return [preferences?.mutant ?? [], world.playback.mutants, mutant ?? []].flat()
}

/** Whether answers of a call's world may be altered. */
export function isMutated(context: StepContext): boolean {
  return mutantsOf(context).length > 0
}

/**
 * Finds the mutant that alters the answer of a call; what makes mutants is loaded with the first one.
 * @throws {Problem} where the call asks for one that is none, or none of its operation
 */
export async function findMutant(context: StepContext): Promise<void> {
  const { contract, preferences } = context
  const { mutantsOf: all } = await import('../../coverage/mutants/mutants.js')
  const own = all(contract)
  const asked = preferences?.mutant
  if (asked !== undefined && !own.some(({ id }) => id === asked)) {
    throw new Problem(
      'unknown-mutant',
      `${contract.id} has no mutant ${quote(asked)}. 'countersign list mutants' shows them all.`,
      { operation: contract.id },
    )
  }
  const ids = mutantsOf(context)
  context.mutant = own.find(({ id }) => ids.includes(id)) ?? null
}

/** The answer as the call's mutant has it: untrue on purpose. */
export function altered(context: StepContext, due: Outgoing): Outgoing {
  const { mutant, contract, exchange, request, world } = context
  if (mutant === null || mutant.status !== due.status || due.offContract) return due
  // What is asked instead is asked of an operation that takes place.
  if (mutant.query !== undefined && !isUnforced(exchange.cause)) return due
  const sent = { ...exchange.query, ...exchange.form, ...exchange.params }
  const { status, body } = mutant.alter(due, { contract, sent })
  const isOther = status !== due.status || JSON.stringify(body) !== JSON.stringify(due.body)
  if (!isOther && (mutant.effect === undefined || !isUnforced(exchange.cause))) return due
  exchange.mutant = mutant.id
  exchange.why = `altered by the mutant ${mutant.id}`
  return { ...due, status, body: withLinks(body, () => baseUrlOf(request, world)), offContract: true }
}
