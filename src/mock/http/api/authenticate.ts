import type { Cites } from '../../../../schemas/cites.js'
import type { Contract, Permission, TokenHeader } from '../../../../schemas/contract.js'
import type { User } from '../../../../schemas/fixtures.js'
import type { Exchange } from '../../sandbox/journal/exchange.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { stripSandboxSuffix, userOfToken } from '../../sandbox/sandbox-suffix.js'
import { bearerToken, lintToken, SEND_TOKEN } from '../../validation/token.js'
import { type Found, type Violation, violationOf } from '../../validation/violation.js'
import type { Answer, Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export interface Caller {
  /** Without the ending that names a sandbox. */
  readonly token: string | undefined
  /** Undefined if no user has the token; the first user with `--auth any` and in a fallback. */
  readonly user: User | undefined
  /** The header that has the token, or should have it. */
  readonly header: TokenHeader
  readonly violations: readonly Violation[]
}

/**
 * Finds the caller (document, "Authentication"; I-15, I-18). With `--auth any`, and in a fallback, an unknown token is
 * the first user's.
 */
export function identifyCaller(call: Call): Caller {
  const { sandbox, isFallback = false } = call
  const sent = sentToken(call)
  const own = sent.token === undefined ? undefined : userOfToken(sandbox, sent.token)
  const takesAny = sent.token !== undefined && (isFallback || sandbox.settings.auth === 'any')
  const user = own ?? (takesAny ? sandbox.firstUser : undefined)
  return { user, violations: lintToken(call, call.contract), ...sent }
}

export function sentToken({
  contract,
  headers,
  sandbox,
}: Pick<Exchange, 'contract' | 'headers'> & Pick<Call, 'sandbox'>): Pick<Caller, 'token' | 'header'> {
  const { authorization, 'user-token': userToken } = headers
  if (authorization !== undefined) {
    const token = bearerToken(authorization)
    return { token: token && stripSandboxSuffix(sandbox, token), header: 'authorization' }
  }
  if (userToken !== undefined && contract?.tokenHeaders.includes('user-token')) {
    return { token: stripSandboxSuffix(sandbox, String(userToken)), header: 'user-token' }
  }
  return { token: undefined, header: 'authorization' }
}

export function authenticate(call: Call, caller: Caller): Answer | undefined {
  const { contract, sandbox } = call
  const { token, user } = caller
  if (token === undefined) return refuse(call, caller, 401, missingToken(call))
  if (user === undefined) return refuse(call, caller, 401, unknownToken(call))
  if (contract.permission === undefined || user.permissions.includes(contract.permission)) return undefined
  return refuse(call, caller, 403, missingPermission(sandbox, contract, contract.permission))
}

/** The violations of a token that a provider checks. */
export function tokenViolations(call: Call, caller: Caller): readonly Violation[] {
  return caller.token === undefined ? withRefusal(caller, missingToken(call)) : caller.violations
}

interface Refusal extends Omit<Found, 'where'> {
  readonly cites: Cites
}

function missingToken({ headers }: Call): Refusal {
  const message =
    headers.authorization === undefined
      ? "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'."
      : "The Authorization header is not 'Bearer <USER_TOKEN>'."
  return { message, fix: SEND_TOKEN, code: 'missing-token', cites: ['SA.1', 'SA.2'] }
}

function unknownToken({ request, sandbox }: Call): Refusal {
  const part = request.arrival.sandboxBy === 'token' ? ` (the part before '~${sandbox.name}')` : ''
  const message = `No user has this token${part}.`
  const fix = "Use a token of the fixtures: 'countersign list tokens' shows them."
  return { message, fix, code: 'unknown-token', cites: ['SA.1', 'SA.4'] }
}

function missingPermission({ state }: Sandbox, { id }: Contract, permission: Permission): Refusal {
  const able = state
    .collection('users')
    .all()
    .find(({ permissions }) => permissions.includes(permission))
  return {
    message: `The caller lacks the permission '${permission}'.`,
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
    step: 'authenticate',
    cause: 'natural',
    why: refusal.message,
    violations,
    reasons: status === 403 ? violations.slice(-1) : violations,
    ...declaredAnswer(call, status, refusal.message),
  }
}

/** `lintToken` may have explained the header already. */
function withRefusal({ header, violations }: Caller, { code, message, fix, cites }: Refusal): readonly Violation[] {
  const where = `headers.${header}`
  if (violations.some((one) => one.where === where)) return violations
  return [...violations, violationOf({ code, message, where, fix }, cites)]
}
