import type { Contract } from '../../schemas/contract.js'
import type { Call } from './handler.js'

type Caller = Pick<Call<Contract>, 'user' | 'readings' | 'world'>

/** Whether a caller reaches what an organization has (I-21); in a world without users, whoever calls reaches all. */
export function reaches({ user, readings, world }: Caller, organizationId: number): boolean {
  return (
    readings.permissionReach === 'everywhere' ||
    user.organization_id === organizationId ||
    world.firstUser === undefined
  )
}
