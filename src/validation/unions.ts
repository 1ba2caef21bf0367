import type { ErrorObject } from 'ajv'
import { groupBy } from '../text/group-by.js'

/**
 * Errors without those of members of a union that were not meant: Ajv tells each member's, and then that none fits.
 * Where one member was plainly meant, its errors are told; otherwise, that none fits.
 */
export function withoutOtherMembers(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error)
      continue
    }
    const members = kept.splice(kept.findLastIndex((one) => !isOf(one, error)) + 1)
    kept.push(...(meantMember(error, members) ?? [error]))
  }
  return kept
}

/** Whether an error is one of a member of a union; they stand right before the union's own. */
function isOf({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return schemaPath.startsWith(`${union.schemaPath}/`) && instancePath.startsWith(union.instancePath)
}

/** The errors of the one member that has the value's type and departs from it the least, if they say more than that. */
function meantMember(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] | undefined {
  const memberOf = ({ schemaPath }: ErrorObject) =>
    schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] as string
  const members = groupBy(errors, memberOf)
  const outer = (own: readonly ErrorObject[]) => own.filter(({ instancePath }) => instancePath === union.instancePath)
  const ofType = [...members.values()].filter((own) => !outer(own).some(isOfOtherType))
  const [first, second] = ofType.toSorted((left, right) => outer(left).length - outer(right).length)
  if (first === undefined) return undefined
  if (second !== undefined && outer(first).length === outer(second).length) return undefined
  return first.some((error) => error.instancePath !== union.instancePath || NAMING.has(error.keyword))
    ? first
    : undefined
}

/** A list of values is of their types alone. */
function isOfOtherType({ keyword, data }: ErrorObject): boolean {
  return keyword === 'type' || (typeof data === 'object' && (keyword === 'enum' || keyword === 'const'))
}

/** What is wrong about a key, not about the value as a whole. */
const NAMING = new Set(['required', 'additionalProperties'])
