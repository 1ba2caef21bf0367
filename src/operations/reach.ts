import type { Contract } from '../../schemas/contract.js'
import type { OperationCall } from './handler.js'

/** I-21; in a world without users, any caller may access everything. */
export function reaches(
  { user, switches, world }: Pick<OperationCall<Contract>, 'user' | 'switches' | 'world'>,
  organizationId: number,
): boolean {
  return (
    switches.permissionReach === 'everywhere' ||
    user.organization_id === organizationId ||
    world.firstUser === undefined
  )
}
