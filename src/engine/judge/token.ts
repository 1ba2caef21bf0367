import { contracts } from '../../../schemas/contracts.js'
import { conventions } from '../../../schemas/conventions.js'
import type { Contract } from '../contract/contract.js'
import { quote } from '../contract/wording.js'
import type { ReceivedRequest } from './received-request.js'
import { isPlaceholder } from './suspicious.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

export const SEND_TOKEN = "-H 'Authorization: Bearer <USER_TOKEN>'"
const AUTHORIZATION = { where: 'headers.authorization', fix: SEND_TOKEN } as const
const USER_TOKEN = { where: 'headers.user-token', fix: "-H 'user-token: <USER_TOKEN>'" } as const

/** Query keys that clients use for a token; it is only read in headers. */
export const TOKEN_KEY = /^(?:(?:access|user|auth|api)?[-_]?token|authorization|bearer|api[-_]?key)$/i

export function lintToken(request: ReceivedRequest, contract: Contract): readonly Violation[] {
  const { authorization, 'user-token': userToken } = request.headers
  return [
    ...(authorization === undefined ? [] : inAuthorization(String(authorization))),
    ...(userToken === undefined ? [] : inUserToken(String(userToken), authorization === undefined, contract)),
    ...inQuery(request),
  ]
}

/** The token of an Authorization header (I-18); undefined for a header that is not `Bearer <USER_TOKEN>`. */
export function bearerToken(header: string | string[]): string | undefined {
  return /^bearer +(\S+) *$/i.exec(String(header))?.[1]
}

/** Splits a token at its last `~`, which names a sandbox; undefined without one. */
export function splitSandboxSuffix(token: string): { readonly token: string; readonly sandbox: string } | undefined {
  const at = token.lastIndexOf('~')
  return at < 0 ? undefined : { token: token.slice(0, at), sandbox: token.slice(at + 1) }
}

const READERS = contracts.filter((one: Contract) => one.tokenHeaders.includes('user-token')).map(({ id }) => id)

/** The violations of Authorization headers without a readable token; the first form that matches counts. */
const malformed: readonly (readonly [form: RegExp, code: string, message: string])[] = [
  [
    /^(?:bearer +){2,}/i,
    'doubled-bearer',
    "The Authorization header contains 'Bearer' twice: the client adds it to a token that already has it.",
  ],
  [/^\s*(?:bearer *)?$/i, 'empty-token', 'The Authorization header has no token.'],
  [/^\S+$/, 'token-without-scheme', "The Authorization header has no scheme: write 'Bearer ' before the token."],
  [/^bearer +\S+ /i, 'malformed-token', 'The token in the Authorization header contains white space.'],
  [/^/, 'wrong-scheme', 'The Authorization header does not use the scheme Bearer.'],
]

function inAuthorization(header: string): readonly Violation[] {
  const token = header.replace(/^bearer +/i, '').trim()
  if (isPlaceholder(token)) return [placeholder('token', token, AUTHORIZATION)]
  const isQuoted = /^(["'`]).*\1$/.test(token)
  const message = 'The token in the Authorization header is in quotes, which count as part of it.'
  return [
    ...(bearerToken(header) === undefined ? [malformation(header)] : []),
    ...(isQuoted ? [suspicionOf({ code: 'quoted-token', message, ...AUTHORIZATION })] : []),
  ]
}

function inUserToken(token: string, isAlone: boolean, contract: Contract): readonly Violation[] {
  if (!contract.tokenHeaders.includes('user-token')) {
    const message = `${contract.id} does not read the header user-token: only ${READERS} does.`
    const found = { code: 'unread-token-header', message, where: 'headers.user-token', fix: SEND_TOKEN }
    return [violationOf(found, [conventions.unreadToken])]
  }
  if (!isAlone) return []
  if (isPlaceholder(token)) return [placeholder('user-token', token, USER_TOKEN)]
  if (!/^bearer /i.test(token)) return []
  const message = "The header user-token must contain only the token, without the scheme 'Bearer'."
  return [violationOf({ code: 'token-with-scheme', message, ...USER_TOKEN }, [conventions.userToken])]
}

function inQuery({ query }: ReceivedRequest): readonly Violation[] {
  const key = Object.keys(query).find((one) => TOKEN_KEY.test(one))
  if (key === undefined) return []
  const message = `The query parameter '${key}' contains a token, which is not read there but ends up in logs.`
  return [suspicionOf({ code: 'token-in-query', message, where: `query.${key}`, fix: SEND_TOKEN })]
}

function malformation(authorization: string): Violation {
  const [, code, message] = malformed.find(([form]) => form.test(authorization)) as (typeof malformed)[number]
  return violationOf({ code, message, ...AUTHORIZATION }, [conventions.authorization])
}

function placeholder(name: string, token: string, header: typeof AUTHORIZATION | typeof USER_TOKEN): Violation {
  const message = `The ${name} is ${quote(token)}: the client probably sent an unset variable.`
  return suspicionOf({ code: 'placeholder-token', message, ...header })
}
