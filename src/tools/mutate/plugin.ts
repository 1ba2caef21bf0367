import type { Answer, Call } from '../../mock/http/api/call.js'
import { withLinks } from '../../mock/http/api/declared-answer.js'
import { Problem } from '../../mock/http/problems.js'
import { isUnforced } from '../../mock/sandbox/journal/exchange.js'
import { quote } from '../../mock/text/wording.js'
import { checkBody } from '../../mock/validation/deviations.js'
import type { Mutant } from './mutant.js'

/**
 * The mutant for a call: by preference, by a scenario, or by the setting of a measured run.
 * @throws {Problem} if the operation has no such mutant
 */
export async function requestedMutant(call: Call): Promise<Mutant | undefined> {
  const { sandbox, preferences, contract } = call
  const ids = [preferences?.mutant ?? [], sandbox.playback.mutants, sandbox.settings.mutant ?? []].flat()
  if (ids.length === 0) return undefined
  const { mutantsOf } = await import('./mutants.js')
  const own = mutantsOf(contract)
  const asked = preferences?.mutant
  if (asked !== undefined && !own.some(({ id }) => id === asked)) {
    throw new Problem(
      'unknown-mutant',
      `${contract.id} has no mutant ${quote(asked)}. 'countersign list mutants' shows them all.`,
      { operation: contract.id },
    )
  }
  return own.find(({ id }) => ids.includes(id))
}

export function applyMutant(call: Call, mutant: Mutant, due: Answer): Answer {
  const { contract, query, form, params } = call
  if (mutant.status !== due.status || due.offContract) return due
  const isNatural = isUnforced(due.cause)
  if (mutant.query !== undefined && !isNatural) return due
  const { status, body } = mutant.alter(due, { contract, sent: { ...query, ...form, ...params } })
  const isAltered = status !== due.status || JSON.stringify(body) !== JSON.stringify(due.body)
  if (!isAltered && (mutant.effect === undefined || !isNatural)) return due
  const altered = withLinks(body, call)
  return {
    ...due,
    status,
    body: altered,
    offContract: true,
    why: `altered by the mutant ${mutant.id}`,
    deviations: checkBody(contract, status, altered, true),
    mutant: { id: mutant.id, declaredStatus: due.status },
  }
}
