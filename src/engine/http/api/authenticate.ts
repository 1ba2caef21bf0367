import { conventions, permissionCites } from '../../../../schemas/conventions.js'
import type { User } from '../../../api/records.js'
import type { Cites } from '../../contract/cites.js'
import type { Contract, Permission, TokenHeader } from '../../contract/contract.js'
import { type Answer, NEW_ANSWER } from '../../journal/exchange.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { bearerToken, lintToken, SEND_TOKEN } from '../../judge/token.js'
import { type Found, leadingTo, type Violation, violationOf } from '../../judge/violation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Call } from './call.js'
import { declaredAnswer } from './declared-answer.js'

export interface Caller {
  /** Undefined if no user has the token. */
  readonly user: User | undefined
  readonly violations: readonly Violation[]
}

/** Finds the caller (document, "Authentication"; I-15, I-18). With `--auth any`, an unknown token is the first user's. */
export function identifyCaller({ sandbox, request, contract, takesAnyToken }: Call): Caller {
  const { token } = request
  const own = token === undefined ? undefined : sandbox.userOf(token)
  const isTaken = token !== undefined && (takesAnyToken || sandbox.settings.auth === 'any')
  return { user: own ?? (isTaken ? sandbox.firstUser : undefined), violations: lintToken(request, contract) }
}

/** The token of a request, without the ending that names a sandbox. */
export function readToken(
  { authorization, 'user-token': userToken }: ReceivedRequest['headers'],
  tokenHeaders: readonly TokenHeader[],
  sandbox: Sandbox,
): { readonly token: string | undefined; readonly tokenHeader: TokenHeader } {
  if (authorization === undefined && userToken !== undefined && tokenHeaders.includes('user-token'))
    return { token: sandbox.withoutSuffix(String(userToken)), tokenHeader: 'user-token' }
  const token = authorization && bearerToken(authorization)
  return { token: token && sandbox.withoutSuffix(token), tokenHeader: 'authorization' }
}

export function authenticate(call: Call, { user, violations }: Caller): Answer | undefined {
  const { contract, sandbox, request } = call
  const { permission } = contract
  if (request.token === undefined) return answerWith(call, 401, violations, missingToken(request))
  if (user === undefined) return answerWith(call, 401, violations, unknownToken(call))
  if (permission === undefined || user.permissions.includes(permission)) return undefined
  return answerWith(call, 403, violations, missingPermission(sandbox, contract, permission))
}

/** The violations of a token, whoever its user is. */
export function tokenViolations({ request }: Call, { violations }: Caller): readonly Violation[] {
  return request.token === undefined ? withCause(request, violations, missingToken(request)) : violations
}

interface AuthenticationFailure extends Omit<Found, 'where'> {
  readonly cites: Cites
}

function missingToken({ headers }: ReceivedRequest): AuthenticationFailure {
  const message =
    headers.authorization === undefined
      ? "The user token is missing: send the header 'Authorization: Bearer <USER_TOKEN>'."
      : "The Authorization header is not 'Bearer <USER_TOKEN>'."
  return { message, fix: SEND_TOKEN, code: 'missing-token', cites: [conventions.needsToken, conventions.authorization] }
}

function unknownToken({ fastify, sandbox }: Call): AuthenticationFailure {
  const part = fastify.request.begun.sandboxBy === 'token' ? ` (the part before '~${sandbox.name}')` : ''
  const message = `No user has this token${part}.`
  const fix = "Use a token of the fixtures: 'countersign list tokens' shows them."
  return { message, fix, code: 'unknown-token', cites: [conventions.needsToken, conventions.invalidToken] }
}

function missingPermission({ state }: Sandbox, { id }: Contract, permission: Permission): AuthenticationFailure {
  const able = state
    .collection('users')
    .all()
    .find(({ permissions }) => permissions.includes(permission))
  return {
    message: `The caller lacks the permission '${permission}'.`,
    fix:
      able === undefined
        ? `Give the permission '${permission}' to a user in the fixtures: no user has it, but ${id} requires it.`
        : `Send the token of a user who has it: ${SEND_TOKEN}.`,
    code: 'missing-permission',
    cites: [...permissionCites[permission], conventions.forbidden],
  }
}

function answerWith(
  call: Call,
  status: 401 | 403,
  ofToken: readonly Violation[],
  failure: AuthenticationFailure,
): Answer {
  const { request } = call
  const all = withCause(request, ofToken, failure)
  // A violation of the token may only be noted where the permission is missing.
  const noted = status === 403 ? all.slice(0, -1) : []
  const leading = leadingTo(status, all.slice(noted.length), request.preferences?.expect)
  const { body } = declaredAnswer(call, status, failure.message)
  const violations = [...noted, ...leading]
  return { ...NEW_ANSWER, status, body, step: 'authenticate', why: failure.message, violations }
}

/** `lintToken` may have explained the header already. */
function withCause(
  { tokenHeader }: ReceivedRequest,
  violations: readonly Violation[],
  { code, message, fix, cites }: AuthenticationFailure,
): readonly Violation[] {
  const where = `headers.${tokenHeader}`
  if (violations.some((one) => one.where === where)) return violations
  return [...violations, violationOf({ code, message, where, fix }, cites)]
}
