import { isUtf8 } from 'node:buffer'
import type { Cites } from '../contract/cites.js'
import { type Contract, formatHeader } from '../contract/contract.js'
import type { TokenHeader } from '../contract/conventions.js'
import { editDistance } from '../contract/nearest.js'
import type { ReceivedRequest } from './received-request.js'
import { isPlaceholder, isPrintedValue } from './text.js'
import { NO_VIOLATIONS, type Violation, violationOf } from './violation.js'

const TOKEN_KEY =
  /^(?:headers\[)?(?:x[-_])?(?:(?:access|user|auth|api|id|session|bearer)[-_]?)*(?:token|auth|authorization|bearer|jwt|api[-_]?key)\]?$/i

export function mayHoldToken(name: string): boolean {
  if (name.length > LONGEST_NAME) return false
  return TOKEN_KEY.test(name) || editDistance(name, 'authorization') <= MAX_EDITS
}

const LONGEST_NAME = 40
const MAX_EDITS = 3

interface Operations {
  readonly operations: readonly { readonly contract: Contract }[]
}

/** Messages never quote a token. */
export function lintToken(request: ReceivedRequest, contract: Contract, { operations }: Operations) {
  const { headers, tokenHeader } = request
  const { conventions, tokenHeaders, query } = contract
  const violations: Violation[] = []
  const add = (code: string, where: string, message: string, fix: string, cites?: Cites) => {
    const explainedFields = tokenHeaders.map(({ name }) => `headers.${name}`)
    violations.push(violationOf({ code, message, where, fix, explainedFields }, cites))
  }
  const isTokenSent = headers[tokenHeader] !== undefined
  const advice = isTokenSent ? `The token is already sent in ${tokenHeader}: remove this one.` : tokenAdvice(contract)
  for (const header of conventions.tokenHeaders) {
    const { name, displayName } = header
    const value = headers[name]
    if (value === undefined) continue
    if (name === tokenHeader) violations.push(...lintHeader(header, value))
    if (tokenHeaders.includes(header)) continue
    const readers = operations.filter((operation) => operation.contract.tokenHeaders.includes(header))
    const ids = readers.map((operation) => operation.contract.id).join(', ')
    const message = `${contract.id} does not read the header ${displayName}. These operations do: ${ids}.`
    const cites = (!isTokenSent && tokenHeaders[0]?.cites) || [conventions.wrongTokenHeader]
    add('unread-token-header', `headers.${name}`, message, advice, cites)
  }
  for (const name in isTokenSent ? {} : headers)
    for (const header of tokenHeaders) {
      // People seldom mistype the beginning of a word.
      const hasBeginning = name.replace(/^x-/, '').startsWith(header.name.slice(0, 2))
      if (!hasBeginning || !isMisspelled(name, header.name)) continue
      const message = `The header '${name}' is ignored: send the token in ${header.displayName}.`
      add('misnamed-header', `headers.${header.name}`, message, tokenAdvice({ tokenHeaders: [header] }))
    }
  for (const key in request.query) {
    if (Object.hasOwn(query.properties, key) || !mayHoldToken(key)) continue
    const message = `The query parameter '${key}' seems to be a token: it is not read, and URLs end up in logs.`
    add('token-in-query', `query.${key}`, message, advice)
    break
  }
  return violations
}

export function tokenAdvice({ tokenHeaders: [header] }: Pick<Contract, 'tokenHeaders'>): string {
  return header === undefined ? '' : `Send the token with -H '${formatHeader(header)}'.`
}

export function tokenIn({ scheme }: TokenHeader, value: string | string[]): string | undefined {
  return scheme === undefined ? String(value) : /^bearer +(\S+) *$/i.exec(String(value))?.[1]
}

export function splitSandboxSuffix(token: string): { readonly token: string; readonly sandbox: string } | undefined {
  const at = token.lastIndexOf('~')
  return at < 0 ? undefined : { token: token.slice(0, at), sandbox: token.slice(at + 1) }
}

/** Node decodes headers as Latin-1; clients may send UTF-8. */
export function headerAsUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? String(bytes) : text
}

function isMisspelled(sentName: string, documentedName: string): boolean {
  if (sentName === documentedName || sentName.length > LONGEST_NAME) return false
  return editDistance(sentName.replace(/^x-/, ''), documentedName) <= MAX_EDITS
}

type MalformedToken = readonly [pattern: RegExp, code: string, message: string]

const JSON_TOKEN = [
  'json-token',
  'The token in the {header} header is JSON or another object as text: send only the token that is in it.',
] as const

/** Mistakes that the API document does not mention; the first match counts. */
const suspiciousTokens: readonly MalformedToken[] = [
  [
    /^["']?[\w-]{0,30}?(?:auth|token)[\w-]{0,30}:/i,
    'repeated-header-name',
    'The value of the {header} header begins with the name of a header: remove that name.',
  ],
  [/^[[{]\s*["'].*[\]}]$/s, ...JSON_TOKEN],
  [
    /^(?:\{[^{}]*\}|\[(?!object ).*\]|\(.*\))$/s,
    'braced-token',
    'The token in the {header} header is in brackets, which count as part of it.',
  ],
  [
    /^["'`\u2018-\u201e\u00ab]|["'`\u2018-\u201e\u00bb]$/,
    'quoted-token',
    'The token in the {header} header is in quotes, which count as part of it.',
  ],
  [
    /,\s*(?:bearer\s|[^\s,]+$)/i,
    'repeated-token',
    'The {header} header has more than one token: it was sent twice, or two values were joined.',
  ],
]

const OTHER_SCHEME = /^(?!bearer\b)[A-Za-z][\w-]* +[^\s{["'(]/i

/** Headers without a readable token; the first match counts. */
const unreadableTokens: readonly MalformedToken[] = [
  [
    /^(?:bearer +){2,}/i,
    'doubled-bearer',
    "The {header} header contains 'Bearer' twice: the client adds it to a token that already has it.",
  ],
  [/^\s*(?:bearer *)?$/i, 'empty-token', 'The {header} header has no token.'],
  [/^\S+$/, 'token-without-scheme', "The {header} header has no scheme: write 'Bearer ' before the token."],
  [/^bearer\s/i, 'malformed-token', 'The token in the {header} header contains white space.'],
  [/^/, 'wrong-scheme', 'The {header} header does not use the scheme Bearer.'],
]

const PLAIN_TOKEN = /^(?!(?:undefined|null|nan|none|nil)$)[\w.~+/=-]+$/i

function lintHeader(header: TokenHeader, sent: string | string[]): readonly Violation[] {
  const { name, displayName, scheme, cites } = header
  const token = String(sent).replace(/^bearer +/i, '')
  const isReadable = scheme === undefined ? token === sent : token !== sent
  if (isReadable && PLAIN_TOKEN.test(token)) return NO_VIOLATIONS
  const draft = (code: string, message: string) => ({
    code,
    message: message.replace('{header}', displayName),
    where: `headers.${name}`,
    fix: tokenAdvice({ tokenHeaders: [header] }),
  })
  if (Array.isArray(sent))
    return [violationOf(draft('repeated-token', `The {header} header was sent ${sent.length} times: send it once.`))]
  const text = headerAsUtf8(token.trim())
  const isOtherScheme = scheme !== undefined && OTHER_SCHEME.test(sent)
  const suspicious = isOtherScheme ? undefined : suspiciousTokens.find(([pattern]) => pattern.test(text))
  if (suspicious !== undefined) return [violationOf(draft(suspicious[1], suspicious[2]))]
  if (isPrintedValue(text)) return [violationOf(draft(...JSON_TOKEN))]
  if (isPlaceholder(token.trim(), false)) {
    const subject = scheme === undefined ? displayName : 'token'
    const message = `The ${subject} is ${maskVariable(token.trim())}: a variable was probably unset or not replaced.`
    return [violationOf(draft('placeholder-token', message))]
  }
  if (scheme === undefined && text !== '') {
    const message = "The header {header} must contain only the token, without the scheme 'Bearer'."
    return token === sent ? NO_VIOLATIONS : [violationOf(draft('token-with-scheme', message), [cites[0]])]
  }
  if (scheme !== undefined && tokenIn(header, sent) !== undefined) return NO_VIOLATIONS
  const [, code, message] = unreadableTokens.find(([pattern]) => pattern.test(sent)) as MalformedToken
  return [violationOf(draft(code, message), [cites[0]])]
}

/** Shows `undefined` and the like; of a template variable only its punctuation, as the rest may be a secret. */
function maskVariable(token: string): string {
  if (/^(?:[a-z]+|\[object \w+\])$/i.test(token)) return `'${token}'`
  return `a variable, '${token.replaceAll(/[^${}<>#@%()[\]]+/g, '…')}'`
}
