import type { Cites } from '../../contract/cites.js'
import { type Contract, formatHeader } from '../../contract/contract.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import { lintToken, tokenAdvice } from '../../judge/token.js'
import { markRefused, NO_VIOLATIONS, type Violation, type ViolationDraft, violationOf } from '../../judge/violation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Call } from './call.js'
import { serviceAnswer } from './declared-answer.js'

/** With `auth: any`, an unknown token counts as the token of the first user. */
export function authenticate(call: Call) {
  const { contract, sandbox, request } = call
  const { token } = request
  const { permission } = contract
  const violations = lintToken(request, contract, sandbox.api)
  if (token === undefined) return fail(call, 401, violations, missingToken(call))
  const { auth = sandbox.settings.auth } = call
  const user = sandbox.userOf(token) ?? (auth === 'any' ? sandbox.users[0] : undefined)
  if (user === undefined) return fail(call, 401, violations, unknownToken(call))
  if (permission === undefined || sandbox.api.users.permissions(user).includes(permission))
    return { kind: 'caller' as const, user, violations }
  return fail(call, 403, violations, missingPermission(sandbox, contract, permission))
}

export function checkToken(call: Call): readonly Violation[] {
  const { request, contract, sandbox } = call
  const violations = lintToken(request, contract, sandbox.api)
  return request.token === undefined ? withFailure(request, violations, missingToken(call)) : violations
}

interface AuthenticationFailure extends Omit<ViolationDraft, 'where'> {
  readonly cites: Cites
}

function missingToken({ contract, request: { headers, tokenHeader } }: Call): AuthenticationFailure {
  const { conventions, tokenHeaders } = contract
  const header = tokenHeaders.find(({ name }) => name === tokenHeader) ?? tokenHeaders[0]
  const example = header === undefined ? '' : formatHeader(header)
  const message =
    headers[tokenHeader] === undefined
      ? `The user token is missing: send the header '${example}'.`
      : `The header must have the form '${example}'.`
  const cites: Cites = [conventions.needsToken, ...(header?.cites.slice(0, 1) ?? [])]
  return { message, fix: tokenAdvice(contract), code: 'missing-token', cites }
}

function unknownToken({ exchange, sandbox, contract: { conventions } }: Call): AuthenticationFailure {
  const part = exchange.sandboxBy === 'token' ? ` (the part before '~${sandbox.name}')` : ''
  const message = `No user has this token${part}.`
  const fix = "Use a token of the fixtures: 'npx countersign list tokens' shows them."
  return { message, fix, code: 'unknown-token', cites: [conventions.needsToken, conventions.invalidToken] }
}

function missingPermission(sandbox: Sandbox, contract: Contract, permission: string): AuthenticationFailure {
  const { id, conventions } = contract
  const hasPermittedUser = sandbox.users.some((user) => sandbox.api.users.permissions(user).includes(permission))
  return {
    message: `The caller lacks the permission '${permission}'.`,
    fix: hasPermittedUser
      ? `Use the token of a user who has it. ${tokenAdvice(contract)}`
      : `Give the permission '${permission}' to a user in the fixtures: no user has it, but ${id} requires it.`,
    code: 'missing-permission',
    // A correction keeps the client's token, but only the token of another user would help.
    isRepairable: false,
    cites: [...(conventions.permissions[permission] ?? contract.cites), conventions.forbidden],
  }
}

function fail(call: Call, status: 401 | 403, tokenViolations: readonly Violation[], failure: AuthenticationFailure) {
  // The violations of an accepted token did not lead to the 403.
  const [others, causes] = status === 403 ? [tokenViolations, NO_VIOLATIONS] : [NO_VIOLATIONS, tokenViolations]
  const violations = [...others, ...markRefused(status, withFailure(call.request, causes, failure))]
  return serviceAnswer(call, status, failure.message, { step: 'authenticate', violations })
}

/** Adds the failure, unless a violation by `lintToken` explains it. */
function withFailure(
  { tokenHeader, headers }: ReceivedRequest,
  violations: readonly Violation[],
  failure: AuthenticationFailure,
): readonly Violation[] {
  const where = `headers.${tokenHeader}`
  const isMissing = headers[tokenHeader] === undefined
  const isReported = violations.some(
    (violation) => violation.where === where || (isMissing && violation.about.explainedFields.includes(where)),
  )
  return isReported ? violations : [...violations, violationOf({ ...failure, where }, failure.cites)]
}
