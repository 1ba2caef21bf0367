import type { TSchema } from '@sinclair/typebox'
import { type Contract, statusesOf } from '../../schemas/contract.js'
import { allowed, quote } from '../text/wording.js'
import { checkOf, type Departure } from './check.js'
import type { Deviation } from './violation.js'

const NONE: readonly Deviation[] = Object.freeze([])

/** Every way in which an answer departs from its contract; it is noted, never repaired. */
export function checkBody(
  contract: Contract,
  status: number,
  schema: TSchema | undefined,
  body: unknown,
  meant: boolean,
): readonly Deviation[] {
  if (schema === undefined)
    return [{ code: 'undeclared-status', message: undeclared(contract, status), where: 'status', meant }]
  const departures = checkOf(schema)(body)
  if (departures.length === 0) return NONE
  return departures.map((departure) => deviationOf(departure, meant))
}

export function undeclared(contract: Contract, status: number): string {
  return `${contract.id} declares ${statusesOf(contract).join(', ')}, not ${status}.`
}

/** What a departure of a body says of the answer. */
export function deviationOf({ path, keyword, expected, value }: Departure, meant: boolean): Deviation {
  const where = ['body', ...path].join('.')
  return keyword === 'required'
    ? {
        code: 'missing-property',
        message: `'${where}' is missing: the contract has ${allowed(expected)}.`,
        where,
        meant,
      }
    : {
        code: 'invalid-property',
        message: `'${where}' must be ${allowed(expected)}, not ${quote(value)}.`,
        where,
        meant,
      }
}
