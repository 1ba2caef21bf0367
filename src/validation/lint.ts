import type { TSchema } from '@sinclair/typebox'
import type { Form } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { nearest, quote } from '../text/wording.js'
import { documentRule, type Violation } from './violation.js'

const NONE: readonly Violation[] = Object.freeze([])

/** What the rules look at. */
export interface LintedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Form | null
}

/** One thing that clients get wrong, though they may get an answer. */
type LintRule = (request: LintedRequest, contract: Contract) => readonly Violation[]

/** What a request's head does wrong about its token; looked at before anything else. */
export function lintToken(request: LintedRequest, contract: Contract): readonly Violation[] {
  return collect(tokenRules, request, contract)
}

/** What a request does wrong beside what its schema forbids. */
export function lint(request: LintedRequest, contract: Contract): readonly Violation[] {
  return collect(requestRules, request, contract)
}

function collect(rules: readonly LintRule[], request: LintedRequest, contract: Contract): readonly Violation[] {
  let found: Violation[] | undefined
  for (const rule of rules) {
    const violations = rule(request, contract)
    if (violations.length > 0) found = found === undefined ? [...violations] : [...found, ...violations]
  }
  return found ?? NONE
}

const AUTHENTICATION = 'Authentication, 2: The token is sent as `Authorization: Bearer <USER_TOKEN>`.'
const SEND_TOKEN = "-H 'Authorization: Bearer <USER_TOKEN>'"

const tokenRules: readonly LintRule[] = [
  ({ headers: { authorization } }) => {
    if (authorization === undefined || /^bearer +\S+ *$/i.test(String(authorization))) return NONE
    const [code, message] = /^(bearer +){2,}/i.test(String(authorization))
      ? [
          'doubled-bearer',
          "The Authorization header says 'Bearer' twice: the client adds it to a token that has it already.",
        ]
      : /^[^\s]+$/.test(String(authorization))
        ? ['token-without-scheme', "The Authorization header carries no scheme: write 'Bearer ' before the token."]
        : ['wrong-scheme', 'The Authorization header is not of the scheme Bearer.']
    return [{ code, message, where: 'headers.authorization', fix: SEND_TOKEN, rule: AUTHENTICATION }]
  },
  ({ headers }, contract) => {
    if (headers['user-token'] === undefined || contract.tokenHeaders.includes('user-token')) return NONE
    const message = `${contract.id} does not read the header user-token: only ${readersOf('user-token')} does.`
    return [
      { code: 'unread-token-header', message, where: 'headers.user-token', fix: SEND_TOKEN, rule: AUTHENTICATION },
    ]
  },
  ({ url }) => {
    const key = TOKEN_KEY.exec(url)?.[1]
    if (key === undefined) return NONE
    const message = `The query parameter '${key}' carries a token, which is not read there and ends up in logs.`
    return [{ code: 'token-in-query', message, where: `query.${key}`, fix: SEND_TOKEN, rule: AUTHENTICATION }]
  },
]

const TOKEN_KEY = /[?&]((?:access|user|auth)?[-_]?token|authorization)=/i

const requestRules: readonly LintRule[] = [
  ({ headers }, contract) => {
    const length = headers['content-length']
    if (
      contract.form !== undefined ||
      ((length === undefined || length === '0') && headers['transfer-encoding'] === undefined)
    )
      return NONE
    const message = `${contract.id} takes no request body, but one was sent.`
    return [
      {
        code: 'unexpected-body',
        message,
        where: 'body',
        fix: 'Send the parameters in path and query alone.',
        rule: documentRule(contract, 'No request body.'),
      },
    ]
  },
  ({ url }, contract) => {
    if (!url.includes('+')) return NONE
    return emailParametersOf(contract).flatMap((name) => unencodedPlus(url, name, contract))
  },
  ({ query }, contract) => unknownKeys(query, contract, 'query'),
  ({ form }, contract) => (form === null ? NONE : unknownKeys(form, contract, 'form')),
]

function readersOf(header: Contract['tokenHeaders'][number]): string {
  const readers: readonly Contract[] = contracts.filter((contract: Contract) => contract.tokenHeaders.includes(header))
  return readers.map(({ id }) => id).join(', ')
}

function emailParametersOf({ query }: Contract): string[] {
  return Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
}

function unencodedPlus(url: string, name: string, contract: Contract): readonly Violation[] {
  const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
  if (pair === undefined) return NONE
  const { description = '' } = contract.query.properties[name] as TSchema
  const required = contract.query.required?.includes(name) ? 'required' : 'optional'
  return [
    {
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
      rule: documentRule(contract, `\`${name}\` (string, ${required}): ${description}`),
    },
  ]
}

function unknownKeys(
  given: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: 'query' | 'form',
): readonly Violation[] {
  let found: Violation[] | undefined
  const known = contract[part]?.properties
  for (const name in given) {
    if (known !== undefined && Object.hasOwn(known, name)) continue
    if (part === 'query' && TOKEN_KEY.test(`?${name}=`)) continue
    found = [...(found ?? []), unknownKey(name, Object.keys(known ?? {}), part, contract)]
  }
  return found ?? NONE
}

const WORDS = {
  query: { words: 'query parameter', unknown: 'unknown-parameter', misnamed: 'misnamed-parameter' },
  form: { words: 'form field', unknown: 'unknown-field', misnamed: 'misnamed-field' },
} as const

/** The complaint about a name that the contract does not have: misnamed where it is nearly one, else unknown. */
export function unknownKey(
  name: string,
  known: readonly string[],
  part: 'query' | 'form',
  contract: Contract,
): Violation {
  const { words, ...codes } = WORDS[part]
  const meant = sameWords(name, known) ?? nearest(name, known)
  const rule = documentRule(
    contract,
    `The ${part === 'form' ? 'fields' : 'parameters'} are ${known.map((one) => `\`${one}\``).join(', ') || 'none'}.`,
  )
  if (meant === undefined) {
    const message = `The ${words} ${quote(name)} is not documented for ${contract.id}.`
    return { code: codes.unknown, message, where: `${part}.${name}`, fix: 'Leave it out.', rule }
  }
  const message = `The ${words} ${quote(name)} is not documented for ${contract.id}: it is written '${meant}'.`
  return {
    code: codes.misnamed,
    message,
    where: `${part}.${name}`,
    fix: `Write '${meant}'${meant.includes('[') ? ', brackets included, as a flat name' : ''}.`,
    rule,
  }
}

/** The documented name with the same words, whatever stands between them: `data.0.email`, `data[email]`, `keyword[]`. */
function sameWords(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name)
  return (
    known.find((one) => one.includes('[') && wordsOf(one).join() === words.join()) ??
    known.find((one) => one.includes('[') && words.length > 0 && wordsOf(one).at(-1) === words.at(-1)) ??
    known.find((one) => one.includes('[') && words.length === 1 && wordsOf(one)[0] === words[0])
  )
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z_]+/)
    .filter((word) => word !== '')
}
