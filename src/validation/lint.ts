import type { TSchema } from '@sinclair/typebox'
import { citesOf } from '../../schemas/cites.js'
import type { Form } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { nearest, quote } from '../text/wording.js'
import { isPlaceholder, oddFiles, placeholders, tokenIn } from './suspicious.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

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
    return [violationOf({ code, message, where: 'headers.authorization', fix: SEND_TOKEN }, ['SA.2'])]
  },
  ({ headers: { authorization } }) => {
    const token = tokenIn(authorization)
    if (token === undefined || !isPlaceholder(token)) return NONE
    const message = `The token is ${quote(token)}: a value is missing where the client makes the header.`
    return [suspicionOf({ code: 'placeholder-token', message, where: 'headers.authorization', fix: SEND_TOKEN })]
  },
  ({ headers }, contract) => {
    if (headers['user-token'] === undefined || contract.tokenHeaders.includes('user-token')) return NONE
    const message = `${contract.id} does not read the header user-token: only ${readersOf('user-token')} does.`
    return [
      violationOf({ code: 'unread-token-header', message, where: 'headers.user-token', fix: SEND_TOKEN }, ['I-15']),
    ]
  },
  ({ url }) => {
    const key = TOKEN_KEY.exec(url)?.[1]
    if (key === undefined) return NONE
    const message = `The query parameter '${key}' carries a token, which is not read there and ends up in logs.`
    return [suspicionOf({ code: 'token-in-query', message, where: `query.${key}`, fix: SEND_TOKEN })]
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
    const fix = 'Send the parameters in path and query alone.'
    return [violationOf({ code: 'unexpected-body', message, where: 'body', fix }, contract.cites)]
  },
  ({ url }, contract) => {
    if (!url.includes('+')) return NONE
    return emailParametersOf(contract).flatMap((name) => unencodedPlus(url, name))
  },
  ({ query }, contract) => unknownKeys(query, contract, 'query'),
  ({ form }, contract) => (form === null ? NONE : unknownKeys(form, contract, 'form')),
  ({ query }) => placeholders(query, 'query'),
  ({ form }) => (form === null ? NONE : placeholders(form, 'form')),
  ({ form }) => (form === null ? NONE : oddFiles(form)),
]

function readersOf(header: Contract['tokenHeaders'][number]): string {
  const readers: readonly Contract[] = contracts.filter((contract: Contract) => contract.tokenHeaders.includes(header))
  return readers.map(({ id }) => id).join(', ')
}

function emailParametersOf({ query }: Contract): string[] {
  return Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
}

function unencodedPlus(url: string, name: string): readonly Violation[] {
  const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
  if (pair === undefined) return NONE
  return [
    suspicionOf({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
    }),
  ]
}

function unknownKeys(
  sent: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: 'query' | 'form',
): readonly Violation[] {
  let found: Violation[] | undefined
  const known = contract[part]?.properties
  for (const name in sent) {
    if (known !== undefined && Object.hasOwn(known, name)) continue
    if (part === 'query' && TOKEN_KEY.test(`?${name}=`)) continue
    found = [...(found ?? []), unknownKey(name, Object.keys(known ?? {}), part, contract)]
  }
  return found ?? NONE
}

const WORDS = {
  query: { words: 'query parameter', kind: 'parameter' },
  form: { words: 'form field', kind: 'field' },
} as const

/** The violation of a name that a part of the contract does not have: nearly another one, of another part, or unknown. */
export function unknownKey(
  name: string,
  known: readonly string[],
  part: 'query' | 'form',
  contract: Contract,
): Violation {
  const { words, kind } = WORDS[part]
  const where = `${part}.${name}`
  const subject = `The ${words} ${quote(name)} is not documented for ${contract.id}`
  const other = part === 'query' ? 'form' : 'query'
  if (Object.hasOwn(contract[other]?.properties ?? {}, name)) {
    const message = `${subject}: it is a ${WORDS[other].words}.`
    const fix = other === 'form' ? `Send it in the form: -F '${name}=…'.` : `Send it in the query: ?${name}=….`
    return suspicionOf({ code: `misplaced-${kind}`, message, where, fix })
  }
  const tooMany = tooManyOf(name, known)
  if (tooMany !== undefined) {
    const message = `${subject}: there are at most ${known.filter((one) => stemOf(one) === stemOf(name)).length} of them, up to '${tooMany}'.`
    return violationOf(
      { code: `too-many-${kind}s`, message, where, fix: 'Leave it out.' },
      citesOf(contract[part] as TSchema) ?? contract.cites,
    )
  }
  const likely = sameWords(name, known) ?? nearest(name, known)
  if (likely === undefined) {
    return violationOf({ code: `unknown-${kind}`, message: `${subject}.`, where, fix: 'Leave it out.' }, ['I-12'])
  }
  const fix = `Write '${likely}'${likely.includes('[') ? ', brackets included, as a flat name' : ''}.`
  return suspicionOf({ code: `misnamed-${kind}`, message: `${subject}: it is written '${likely}'.`, where, fix })
}

/** The last of the names that a name would come after: `keyword[sample_4]` after `keyword[sample_3]`. */
function tooManyOf(name: string, known: readonly string[]): string | undefined {
  const number = numberOf(name)
  const series = known.filter((one) => stemOf(one) === stemOf(name) && numberOf(one) !== undefined)
  const last = series.at(-1)
  return number !== undefined && last !== undefined && number > (numberOf(last) as number) ? last : undefined
}

const stemOf = (name: string) => name.replace(/\d+(?=\D*$)/, '#')

function numberOf(name: string): number | undefined {
  const digits = /(\d+)\D*$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
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
