import type { Cites } from '../../../schemas/cites.js'
import type { Contract, Permission, TokenHeader } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import { bearerToken, lintToken, SEND_TOKEN } from '../../validation/token.js'
import { suspicionOf, type Violation, violationOf } from '../../validation/violation.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { tokenIn, userOfToken } from '../../world/token-ending.js'
import type { World } from '../../world/world.js'
import { type Answer, type Call, NO_VIOLATIONS } from './call.js'
import { declaredAnswer } from './declared-answer.js'

/** Who calls, as far as the token tells. */
export interface Caller {
  /** Without the name of a sandbox at its end; undefined without a usable token. */
  readonly token: string | undefined
  /** Undefined without a token, or if no user has it; with `--auth any`, and in a provider's place, the first user. */
  readonly user: User | undefined
  /** The header that the token stands in, or should. */
  readonly header: TokenHeader
  /** Why there is no token. */
  readonly missing: string
  /** What is wrong about the token as it was sent. */
  readonly violations: readonly Violation[]
}

/**
 * Finds the user whose token a call carries (document, "Authentication"; I-15, I-18). With `--auth any`, and in the place
 * of a provider, which knows others, an unknown token is the first user's.
 */
export function identifyCaller(call: Call): Caller {
  const { world, isFallback = false } = call
  const sent = sentToken(call)
  const own = sent.token === undefined ? undefined : userOfToken(world, sent.token)
  const takesAny = sent.token !== undefined && (isFallback || world.settings.auth === 'any')
  const user = own ?? (takesAny ? world.firstUser : undefined)
  return { ...sent, user, violations: [...lintToken(call, call.contract), ...repeatedToken(call)] }
}

/** Node reads the first of several Authorization headers alone. */
function repeatedToken({ request: { raw } }: Call): readonly Violation[] {
  const { rawHeaders } = raw
  const sent = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
  if (new Set(sent).size < 2) return NO_VIOLATIONS
  const message = 'The header Authorization was sent twice, with different values. Only the first one is read.'
  const fix = 'Send one Authorization header.'
  return [suspicionOf({ code: 'repeated-token', message, where: 'headers.authorization', fix })]
}

/** A token, the header that it stands in or should, and why it is missing. */
export function sentToken({
  contract,
  headers,
  world,
}: Pick<Exchange, 'contract' | 'headers'> & Pick<Call, 'world'>): Pick<Caller, 'token' | 'header' | 'missing'> {
  const { authorization, 'user-token': userToken } = headers
  if (authorization !== undefined) {
    const token = bearerToken(authorization)
    const missing = "The Authorization header is not 'Bearer <USER_TOKEN>'."
    return { token: token && tokenIn(world, token), header: 'authorization', missing }
  }
  if (userToken !== undefined && contract?.tokenHeaders.includes('user-token')) {
    return { token: tokenIn(world, String(userToken)), header: 'user-token', missing: '' }
  }
  const missing = "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'."
  return { token: undefined, header: 'authorization', missing }
}

/** 401 without a valid token, 403 without the permission that the operation requires. */
export function authenticate(call: Call, caller: Caller): Answer | undefined {
  const { contract, world } = call
  const { token, user } = caller
  if (token === undefined) return refuse(call, caller, 401, missingToken(call, caller))
  if (user === undefined) return refuse(call, caller, 401, unknownToken(call))
  if (contract.permission === undefined || user.permissions.includes(contract.permission)) return undefined
  return refuse(call, caller, 403, missingPermission(world, contract, contract.permission))
}

/** What is wrong about the token of a call that no user of ours needs to know. */
export function tokenViolations(call: Call, caller: Caller): readonly Violation[] {
  const isMissing = caller.token === undefined && call.headers.authorization === undefined
  return isMissing ? withRefusal(caller, missingToken(call, caller)) : caller.violations
}

interface Refusal {
  readonly message: string
  readonly fix: string
  readonly code: string
  readonly cites: Cites
}

function missingToken({ headers }: Call, { missing }: Caller): Refusal {
  // A malformed header has a violation of its own.
  const code = headers.authorization === undefined ? 'missing-token' : ''
  return { message: missing, fix: SEND_TOKEN, code, cites: ['SA.1', 'SA.2'] }
}

function unknownToken({ request, world }: Call): Refusal {
  const part = request.arrival?.sandboxBy === 'token' ? ` before '~${world.name}'` : ''
  const message = `The user token${part} is invalid: no user has it.`
  return { message, fix: SEND_TOKEN, code: 'unknown-token', cites: ['SA.1', 'SA.4'] }
}

function missingPermission({ state }: World, { id }: Contract, permission: Permission): Refusal {
  const able = state
    .collection('users')
    .all()
    .find(({ permissions }) => permissions.includes(permission))
  return {
    message: `The caller may not do this: the permission '${permission}' is missing.`,
    fix:
      able === undefined
        ? `Give the permission '${permission}' to a user in the fixtures: no user has it, but ${id} requires it.`
        : `-H 'Authorization: Bearer ${able.token}'`,
    code: 'missing-permission',
    cites: ['SA.5', 'SE.2'],
  }
}

function refuse(call: Call, caller: Caller, status: 401 | 403, refusal: Refusal): Answer {
  const violations = withRefusal(caller, refusal)
  return {
    ...declaredAnswer(call, status, refusal.message),
    step: 'authenticate',
    cause: 'natural',
    why: refusal.message,
    violations,
    reasons: status === 403 ? violations.slice(-1) : violations,
  }
}

/** A header has one violation. */
function withRefusal({ header, violations }: Caller, { code, message, fix, cites }: Refusal): readonly Violation[] {
  const where = `headers.${header}`
  if (code === '' || violations.some((one) => one.where === where)) return violations
  return [...violations, violationOf({ code, message, where, fix }, cites)]
}
