import type { Cites } from '../../../../schemas/cites.js'
import { PERMISSIONS, type Permission } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import { lintToken, SEND_TOKEN } from '../../../validation/token.js'
import { violationOf } from '../../../validation/violation.js'
import { declaredAnswer } from '../answer.js'
import type { Outgoing } from '../outgoing.js'
import type { Step, StepContext } from '../step-context.js'

const WHERE = 'headers.authorization'

/** Who calls (401), and may they (403)? Asked before any body is read. */
export const authenticate: Step = (context) => {
  const { exchange, contract, world } = context
  exchange.violations = lintToken(exchange, contract)
  const { token, why } = tokenOf(context)
  if (token === undefined)
    return refuse(context, 401, why, exchange.headers.authorization === undefined ? 'missing-token' : undefined)
  const users = world.state.collection('users')
  const user = users.first('token', token) ?? (world.settings.auth === 'any' ? (world.firstUser ?? ANYONE) : undefined)
  if (user === undefined) return refuse(context, 401, 'The user token is invalid: no user has it.', 'unknown-token')
  context.user = user
  if (contract.permission === undefined || permits(user, contract.permission)) return undefined
  return refuse(
    context,
    403,
    `The caller may not do this: the permission '${contract.permission}' is missing.`,
    'missing-permission',
  )
}

/** What each refusal is a violation of; a malformed header has its own. */
const MISTAKES = {
  'missing-token': ['SA.1', 'SA.2'],
  'unknown-token': ['SA.1', 'SA.4'],
  'missing-permission': ['SA.5', 'SE.2'],
} as const satisfies Record<string, Cites>

function refuse(context: StepContext, status: 401 | 403, message: string, code?: keyof typeof MISTAKES): Outgoing {
  const { exchange } = context
  exchange.why = message
  const known = exchange.violations.some(({ where }) => where === WHERE)
  if (code !== undefined && !known) {
    exchange.violations = [
      ...exchange.violations,
      violationOf({ code, message, where: WHERE, fix: SEND_TOKEN }, MISTAKES[code]),
    ]
  }
  return declaredAnswer(context, status, message)
}

/** The user token of the first header that carries one (document, "Authentication"; I-15, I-18). */
export function tokenOf({ contract, exchange }: StepContext): { readonly token?: string; readonly why: string } {
  const { headers } = exchange
  const { authorization } = headers
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(String(authorization))?.[1]
    return { token, why: "The Authorization header is not 'Bearer <USER_TOKEN>'." }
  }
  const own = contract.tokenHeaders.includes('user-token') ? headers['user-token'] : undefined
  return {
    token: own === undefined ? undefined : String(own),
    why: "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'.",
  }
}

function permits(user: User, permission: Permission): boolean {
  return user.permissions.includes(permission)
}

/** The user of an unknown token with `--auth any`, where the fixtures have no users. */
const ANYONE: User = {
  uuid: '00000000-0000-4000-8000-000000000000',
  token: '',
  email: 'anyone@example.test',
  first_name: 'Any',
  last_name: 'User',
  user_type: 'ENTERPRISE_API',
  organization_id: 1,
  permissions: [...PERMISSIONS],
}
