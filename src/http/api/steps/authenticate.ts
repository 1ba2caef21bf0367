import type { Cites } from '../../../../schemas/cites.js'
import { PERMISSIONS, type Permission, type TokenHeader } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import { bearerToken, lintToken, SEND_TOKEN } from '../../../validation/token.js'
import { violationOf } from '../../../validation/violation.js'
import type { Exchange } from '../../../world/journal/exchange.js'
import { tokenIn } from '../../../world/token-ending.js'
import { declaredAnswer } from '../answer.js'
import type { Outgoing } from '../outgoing.js'
import type { Step, StepContext } from '../step-context.js'

/** Who calls (401), and may they (403)? Asked before any body is read. */
export const authenticate: Step = (context) => {
  const { exchange, contract, world } = context
  exchange.violations = lintToken(exchange, contract)
  const { token, header, why } = tokenOf(context)
  if (token === undefined) {
    return refuse(context, 401, header, why, missingToken(exchange))
  }
  const users = world.state.collection('users')
  const user = users.first('token', token) ?? (world.settings.auth === 'any' ? (world.firstUser ?? ANYONE) : undefined)
  if (user === undefined) {
    const part = exchange.sandboxBy === 'token' ? ` before '~${world.name}'` : ''
    return refuse(context, 401, header, `The user token${part} is invalid: no user has it.`, 'unknown-token')
  }
  context.user = user
  if (contract.permission === undefined || permits(user, contract.permission)) return undefined
  const message = `The caller may not do this: the permission '${contract.permission}' is missing.`
  return refuse(context, 403, header, message, 'missing-permission', tokenWith(contract.permission, context))
}

/** How a token is sent that has a permission. */
function tokenWith(permission: Permission, { world, contract }: StepContext): string {
  for (const { token, permissions } of world.state.collection('users').all()) {
    if (permissions.includes(permission)) return `-H 'Authorization: Bearer ${token}'`
  }
  return `Give the permission '${permission}' to a user in the fixtures: no user has it, but ${contract.id} requires it.`
}

/** Notes what the request does wrong about its token, whoever it belongs to: the provider knows its users. */
export function noteToken(context: StepContext): void {
  const { exchange, contract, world } = context
  exchange.violations = lintToken(exchange, contract)
  const { token, header, why } = tokenOf(context)
  if (token === undefined) noteMistake(exchange, header, why, missingToken(exchange))
  else context.user = world.state.collection('users').first('token', token) ?? null
}

/** A malformed header has a violation of its own. */
function missingToken({ headers }: Exchange): keyof typeof MISTAKES | undefined {
  return headers.authorization === undefined ? 'missing-token' : undefined
}

/** What each refusal is a violation of. */
const MISTAKES = {
  'missing-token': ['SA.1', 'SA.2'],
  'unknown-token': ['SA.1', 'SA.4'],
  'missing-permission': ['SA.5', 'SE.2'],
} as const satisfies Record<string, Cites>

function refuse(
  context: StepContext,
  status: 401 | 403,
  header: TokenHeader,
  message: string,
  code?: keyof typeof MISTAKES,
  fix = SEND_TOKEN,
): Outgoing {
  const { exchange } = context
  context.noteUnread()
  exchange.why = message
  noteMistake(exchange, header, message, code, fix)
  return declaredAnswer(context, status, message)
}

function noteMistake(
  exchange: Exchange,
  header: TokenHeader,
  message: string,
  code: keyof typeof MISTAKES | undefined,
  fix = SEND_TOKEN,
): void {
  const where = `headers.${header}`
  if (code === undefined || exchange.violations.some((one) => one.where === where)) return
  const found = violationOf({ code, message, where, fix }, MISTAKES[code])
  exchange.violations = [...exchange.violations, found]
}

interface Presented {
  readonly token?: string
  /** The header that carries it, or that should. */
  readonly header: TokenHeader
  readonly why: string
}

/** The user token of the first header that carries one, without a sandbox's name at its end (document, "Authentication"; I-15, I-18). */
export function tokenOf({ contract, exchange, world }: StepContext): Presented {
  const { authorization, 'user-token': userToken } = exchange.headers
  if (authorization !== undefined) {
    const token = bearerToken(authorization)
    return {
      token: token && tokenIn(world, token),
      header: 'authorization',
      why: "The Authorization header is not 'Bearer <USER_TOKEN>'.",
    }
  }
  if (userToken !== undefined && contract.tokenHeaders.includes('user-token')) {
    return { token: tokenIn(world, String(userToken)), header: 'user-token', why: '' }
  }
  const why = "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'."
  return { header: 'authorization', why }
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
