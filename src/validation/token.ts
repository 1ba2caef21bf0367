import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { quote } from '../text/wording.js'
import { isPlaceholder } from './suspicious.js'
import { type LintedRequest, suspicionOf, type Violation, violationOf } from './violation.js'

export const SEND_TOKEN = "-H 'Authorization: Bearer <USER_TOKEN>'"
const AUTHORIZATION = { where: 'headers.authorization', fix: SEND_TOKEN } as const
const USER_TOKEN = { where: 'headers.user-token', fix: "-H 'user-token: <USER_TOKEN>'" } as const

/** Query keys that carry a token, which is read in headers alone. */
export const TOKEN_KEY = /^(?:(?:access|user|auth|api)?[-_]?token|authorization|bearer|api[-_]?key)$/i
/** What a request's head does wrong about its token; looked at before anything else. */
export function lintToken(request: LintedRequest, contract: Contract): readonly Violation[] {
  return [...inAuthorization(request), ...inUserToken(request, contract), ...inQuery(request)]
}

/** A client sends the same header again and again, and it is read more than once. */
let lastRead: { readonly authorization: string; readonly token: string | undefined } | undefined

/** The token of an Authorization header (I-18); undefined for a header that is not `Bearer <USER_TOKEN>`. */
export function bearerToken(header: string | string[]): string | undefined {
  const authorization = String(header)
  if (lastRead?.authorization !== authorization) {
    lastRead = { authorization, token: /^bearer +(\S+) *$/i.exec(authorization)?.[1] }
  }
  return lastRead.token
}

/** What stands in the place of the token, white space and all. */
function afterBearer(authorization: string): string | undefined {
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1]?.trimEnd()
}

/** A header that is all placeholder. */
function placeholderIn(authorization: string): string | undefined {
  const text = authorization.trim()
  return isPlaceholder(text) ? text : undefined
}

/** What is wrong with an Authorization header from which no token can be read, the first that fits. */
const malformed: readonly (readonly [form: RegExp, code: string, message: string])[] = [
  [
    /^(?:bearer +){2,}/i,
    'doubled-bearer',
    "The Authorization header contains 'Bearer' twice: the client adds it to a token that already has it.",
  ],
  [/^\s*$/, 'empty-token', 'The Authorization header is empty.'],
  [/^bearer *$/i, 'empty-token', "The Authorization header is 'Bearer' without a token."],
  [/^bearer:/i, 'wrong-scheme', "The Authorization header has a colon after 'Bearer' instead of a space."],
  [/^\S+$/, 'token-without-scheme', "The Authorization header has no scheme: write 'Bearer ' before the token."],
  [/^bearer +\S+ /i, 'malformed-token', 'The token in the Authorization header contains white space.'],
  [/^/, 'wrong-scheme', 'The Authorization header does not use the scheme Bearer.'],
]

function inAuthorization({ headers: { authorization } }: LintedRequest): readonly Violation[] {
  if (authorization === undefined) return []
  const whole = bearerToken(authorization)
  const token = whole ?? afterBearer(String(authorization)) ?? placeholderIn(String(authorization))
  if (token !== undefined && isPlaceholder(token)) return [placeholder('token', token, AUTHORIZATION)]
  const found = whole === undefined ? [malformation(String(authorization))] : []
  if (token === undefined || !/^(["'`]).*\1$/.test(token)) return found
  const message = 'The token in the Authorization header is in quotes, which count as part of it.'
  return [...found, suspicionOf({ code: 'quoted-token', message, ...AUTHORIZATION })]
}

function inUserToken({ headers }: LintedRequest, contract: Contract): readonly Violation[] {
  const { authorization, 'user-token': sent } = headers
  if (sent === undefined) return []
  if (!contract.tokenHeaders.includes('user-token')) {
    const message = `${contract.id} does not read the header user-token: only ${readersOf('user-token')} does.`
    const found = { code: 'unread-token-header', message, where: 'headers.user-token', fix: SEND_TOKEN }
    return [violationOf(found, ['I-15'])]
  }
  const token = String(sent)
  if (authorization !== undefined) return []
  if (isPlaceholder(token)) return [placeholder('user-token', token, USER_TOKEN)]
  if (!/^bearer /i.test(token)) return []
  const message = "The header user-token must contain only the token, without the scheme 'Bearer'."
  return [violationOf({ code: 'token-with-scheme', message, ...USER_TOKEN }, ['SA.3'])]
}

function inQuery({ query }: LintedRequest): readonly Violation[] {
  const key = Object.keys(query).find((one) => TOKEN_KEY.test(one))
  if (key === undefined) return []
  const message = `The query parameter '${key}' contains a token, which is not read there but ends up in logs.`
  return [suspicionOf({ code: 'token-in-query', message, where: `query.${key}`, fix: SEND_TOKEN })]
}

function malformation(authorization: string): Violation {
  const [, code, message] = malformed.find(([form]) => form.test(authorization)) as (typeof malformed)[number]
  return violationOf({ code, message, ...AUTHORIZATION }, ['SA.2'])
}

function placeholder(name: string, token: string, header: typeof AUTHORIZATION | typeof USER_TOKEN): Violation {
  const message = `The ${name} is ${quote(token)}: the client has no value for it when it builds the header.`
  return suspicionOf({ code: 'placeholder-token', message, ...header })
}

function readersOf(header: Contract['tokenHeaders'][number]): string {
  const readers: readonly Contract[] = contracts.filter((contract: Contract) => contract.tokenHeaders.includes(header))
  return readers.map(({ id }) => id).join(', ')
}
