import type { Permission } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import { lintToken } from '../../../validation/lint.js'
import type { Exchange } from '../../../world/journal/exchange.js'
import type { World } from '../../../world/world.js'
import { declared, type Outgoing } from '../deliver.js'
import type { Step } from './step.js'

/** Who calls (401), and may they (403)? Asked before any body is read. */
export const authenticate: Step = ({ exchange, contract, settings }) => {
  const { world } = exchange
  exchange.violations = lintToken(exchange, contract)
  const { token, why } = tokenOf(exchange)
  if (token === undefined) return refuse(exchange, 401, why)
  const users = world.state.collection('users')
  const user = users.first('token', token) ?? (settings.auth === 'any' ? anyUser(world) : undefined)
  if (user === undefined) return refuse(exchange, 401, 'The user token is invalid: no user has it.')
  exchange.user = user
  if (contract.permission === undefined || permits(user, contract.permission)) return undefined
  return refuse(exchange, 403, `The caller may not do this: the permission '${contract.permission}' is missing.`)
}

function refuse(exchange: Exchange, status: 401 | 403, message: string): Outgoing {
  exchange.why = message
  return declared(exchange, status, message)
}

/** The user token of the first header that carries one (document, "Authentication"; I-15, I-18). */
export function tokenOf({ contract, headers }: Exchange): { readonly token?: string; readonly why: string } {
  const { authorization } = headers
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(String(authorization))?.[1]
    return { token, why: "The Authorization header is not 'Bearer <USER_TOKEN>'." }
  }
  const own = contract?.tokenHeaders.includes('user-token') ? headers['user-token'] : undefined
  return {
    token: own === undefined ? undefined : String(own),
    why: "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'.",
  }
}

function permits(user: User, permission: Permission): boolean {
  return user.permissions.includes(permission)
}

/** With `--auth any`, a token that nobody has stands for the first user, or for someone who may do all. */
function anyUser(world: World): User {
  const [first] = world.state.collection('users').all()
  return first ?? ANYONE
}

const ANYONE: User = {
  uuid: '00000000-0000-4000-8000-000000000000',
  token: '',
  email: 'anyone@example.test',
  first_name: 'Any',
  last_name: 'User',
  user_type: 'ENTERPRISE_API',
  organization_id: 1,
  permissions: ['manage_sub_organization_members'],
}
