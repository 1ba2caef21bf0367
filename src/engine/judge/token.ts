import { type Contract, writtenHeader } from '../contract/contract.js'
import type { TokenHeader } from '../contract/conventions.js'
import { lettersApart } from '../contract/nearest.js'
import type { ReceivedRequest } from './received-request.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** Names of parameters that clients use for a token; it is only read in headers. */
const TOKEN_KEY =
  /^(?:x[-_])?(?:(?:access|user|auth|api|id|session|bearer)[-_]?)*(?:token|auth|authorization|bearer|jwt|api[-_]?key)$/i

/** True for a name that surely means a token, also a misspelt one. */
export function mayHoldToken(name: string): boolean {
  if (name.length > LONGEST_NAME) return false
  return TOKEN_KEY.test(name) || lettersApart(name, 'authorization') <= MOST_APART
}

const LONGEST_NAME = 40
/** Letters in which the name of a header may differ from the one that was meant. */
const MOST_APART = 3

/** All operations of an API. */
interface Operations {
  readonly operations: readonly { readonly contract: Contract }[]
}

/** The violations in the headers that carry tokens. Their messages never show what was sent there. */
export function lintToken(request: ReceivedRequest, contract: Contract, api: Operations): readonly Violation[] {
  const { headers, tokenHeader } = request
  const found: Violation[] = []
  for (const header of contract.conventions.tokenHeaders) {
    const value = headers[header.name]
    if (value === undefined) continue
    if (!contract.tokenHeaders.includes(header)) found.push(unreadHeader(header, contract, api))
    else if (header.name === tokenHeader) found.push(...lintHeader(header, value))
  }
  for (const key of Object.keys(request.query)) if (mayHoldToken(key)) return [...found, inQuery(key, contract)]
  return found
}

/** An option of curl that sends the token as the operation takes it. */
export function sendToken({ tokenHeaders: [header] }: Contract): string {
  return header === undefined ? '' : `-H '${writtenHeader(header)}'`
}

/** The token of a header; undefined for a value without the scheme of the header, in any letter case. */
export function tokenIn({ scheme }: TokenHeader, value: string | string[]): string | undefined {
  return scheme === undefined ? String(value) : /^bearer +(\S+) *$/i.exec(String(value))?.[1]
}

/** Splits a token at its last `~`, which names a sandbox; undefined without one. */
export function splitSandboxSuffix(token: string): { readonly token: string; readonly sandbox: string } | undefined {
  const at = token.lastIndexOf('~')
  return at < 0 ? undefined : { token: token.slice(0, at), sandbox: token.slice(at + 1) }
}

/** A header that was sent in the place of the one with the token, by its name. */
export function misnamedHeader({ headers }: ReceivedRequest, { tokenHeaders }: Contract): string | undefined {
  const own = tokenHeaders.map(({ name }) => name)
  return Object.keys(headers).find(
    (name) =>
      !own.includes(name) &&
      name.length <= LONGEST_NAME &&
      own.some((one) => lettersApart(name.replace(/^x-/, ''), one) <= MOST_APART),
  )
}

function unreadHeader(header: TokenHeader, contract: Contract, { operations }: Operations): Violation {
  const all = operations.map((one) => one.contract)
  const readers = all.filter(({ tokenHeaders }) => tokenHeaders.includes(header)).map(({ id }) => id)
  const message = `${contract.id} does not read the header ${header.label}: only ${readers.join(', ')} does.`
  const where = `headers.${header.name}`
  const found = { code: 'unread-token-header', message, where, fix: sendToken(contract) }
  return violationOf(found, [contract.conventions.unreadTokenHeader])
}

/** A form that the value of a header has in place of a token. */
interface Malformed {
  readonly code: string
  /** Of the value without the scheme; `whole` looks at all of it. */
  readonly form: RegExp
  readonly whole?: true
  readonly message: string
  /** Without a sentence of the document that rules on it. */
  readonly isSuspicious?: true
  /** Only where a scheme is needed. */
  readonly needsScheme?: true
}

/** The first form that matches counts. */
const malformed: readonly Malformed[] = [
  {
    code: 'repeated-header-name',
    form: /^["']?[\w-]*(?:auth|token)[\w-]*:/i,
    whole: true,
    message: 'The {label} header begins with the name of a header: its value is sent as if it were the whole header.',
    isSuspicious: true,
  },
  {
    code: 'json-token',
    form: /^[[{]\s*["'].*[\]}]$/s,
    message: 'The token in the {label} header is JSON, or a printed object: send only the token that is in it.',
    isSuspicious: true,
  },
  {
    code: 'braced-token',
    form: /^(?:\{[^{}$]*\}|\[.*\]|\(.*\))$/s,
    message: 'The token in the {label} header is in brackets, which count as part of it.',
    isSuspicious: true,
  },
  {
    code: 'quoted-token',
    form: /^(["'`\u2018-\u201e\u00ab]).*["'`\u2018-\u201e\u00bb]$|^["']|["']$/s,
    message: 'The token in the {label} header is in quotes, which count as part of it.',
    isSuspicious: true,
  },
  {
    code: 'doubled-bearer',
    form: /^(?:bearer +){2,}/i,
    whole: true,
    message: "The {label} header contains 'Bearer' twice: the client adds it to a token that already has it.",
    needsScheme: true,
  },
  {
    code: 'repeated-token',
    form: /,\s*(?:bearer\s|\S+$)/i,
    message: 'The {label} header has more than one token: it was sent twice, or two values were joined.',
    isSuspicious: true,
  },
  {
    code: 'empty-token',
    form: /^\s*(?:bearer *)?$/i,
    whole: true,
    message: 'The {label} header has no token.',
    needsScheme: true,
  },
  {
    code: 'token-without-scheme',
    form: /^\S+$/,
    whole: true,
    message: "The {label} header has no scheme: write 'Bearer ' before the token.",
    needsScheme: true,
  },
  {
    code: 'malformed-token',
    form: /^bearer +\S+ /i,
    whole: true,
    message: 'The token in the {label} header contains white space.',
    needsScheme: true,
  },
  {
    code: 'wrong-scheme',
    form: /^(?!bearer +\S+ *$)/i,
    whole: true,
    message: 'The {label} header does not use the scheme Bearer.',
    needsScheme: true,
  },
]

/** A plain token needs no closer look. */
const PLAIN = /^(?:bearer +)?[\w.~+/=-]+$/i

function lintHeader(header: TokenHeader, sent: string | string[]): readonly Violation[] {
  const { name, label, scheme, cites } = header
  const found = (code: string, message: string) => ({
    code,
    message: message.replace('{label}', label),
    where: `headers.${name}`,
    fix: `-H '${writtenHeader(header)}'`,
  })
  if (Array.isArray(sent))
    return [suspicionOf(found('repeated-token', `The {label} header was sent ${sent.length} times: send it once.`))]
  const token = sent.replace(/^bearer +/i, '').trim()
  const subject = scheme === undefined ? label : 'token'
  if (isUnset(token)) {
    const message = `The ${subject} is ${shownOf(token)}: the client probably sent an unset variable.`
    return [suspicionOf(found('placeholder-token', message))]
  }
  if (scheme === undefined && /^bearer /i.test(sent)) {
    const message = "The header {label} must contain only the token, without the scheme 'Bearer'."
    return [violationOf(found('token-with-scheme', message), [cites[0]])]
  }
  if (PLAIN.test(sent) && (scheme === undefined || tokenIn(header, sent) !== undefined)) return []
  const one = malformed.find(
    ({ form, whole, needsScheme }) => !(needsScheme && scheme === undefined) && form.test(whole ? sent : token),
  )
  if (one === undefined) return []
  const draft = found(one.code, one.message)
  return [one.isSuspicious ? suspicionOf(draft) : violationOf(draft, [cites[0]])]
}

/** Words of programs for nothing, which hold no secret. */
const NOTHING = /^(?:undefined|null|NaN|none|nil|\[object \w+\])$/i
/** How an unset variable is written. */
const VARIABLES: readonly (readonly [form: RegExp, shown: string])[] = [
  [/^\$\{.*\}$/s, `\${…}`],
  [/^=?\{\{.*\}\}$/s, '{{…}}'],
  [/^\$env:/i, '$env:…'],
  [/^\$\(.*\)$/s, '$(…)'],
  [/^\$[A-Za-z_]/, '$…'],
  [/^%[A-Za-z_]\w*%$/, '%…%'],
  [/^[#@]\{.*\}$/s, '#{…}'],
  [/^<[^<>]*>$/, '<…>'],
  [/^:[A-Za-z]\w*$/, ':…'],
]

function isUnset(token: string): boolean {
  return NOTHING.test(token) || VARIABLES.some(([form]) => form.test(token))
}

/** The word itself, or the form of a variable without what may be its value. */
function shownOf(token: string): string {
  return NOTHING.test(token) ? `'${token}'` : `a variable, '${VARIABLES.find(([form]) => form.test(token))?.[1]}'`
}

function inQuery(key: string, contract: Contract): Violation {
  const message = `The query parameter '${key}' contains a token, which is not read there but ends up in logs.`
  return suspicionOf({ code: 'token-in-query', message, where: `query.${key}`, fix: sendToken(contract) })
}
