import type { Contract } from '../../schemas/contract.js'
import type { Call } from './handler.js'

type Caller = Pick<Call<Contract>, 'user' | 'switches' | 'world'>

/** Whether a caller may access the data of an organization (I-21); in a world without users, any caller may. */
export function reaches({ user, switches, world }: Caller, organizationId: number): boolean {
  return (
    switches.permissionReach === 'everywhere' ||
    user.organization_id === organizationId ||
    world.firstUser === undefined
  )
}
