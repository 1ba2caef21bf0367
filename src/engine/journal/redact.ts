import type { CitableTexts } from '../contract/citable-texts.js'
import { type Contract, writtenHeader } from '../contract/contract.js'
import { flatTexts } from '../contract/json.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { REDACTED } from '../contract/wording.js'
import { bodyFieldsOf } from '../judge/body-fields.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { isPlaceholder, jsonIn } from '../judge/text.js'
import { mayHoldToken, splitSandboxSuffix } from '../judge/token.js'
import type { Exchange } from './exchange.js'

export interface Viewer {
  readonly prefix: string
  readonly api: CitableTexts
  readonly settings: { readonly secrets: readonly string[] }
  isToken(text: string): boolean
  isTokenHeader(name: string): boolean
  /** False if the token's user may not use these values. */
  isUsable(contract: Contract, values: Readonly<Record<string, string>>, token: string): boolean
}

export type Redact = <T>(value: T) => T

const SECRET = /token|auth|bearer|jwt|cookie|secret|passw|pwd|session|credential|\w[-_]?key$|^sid$/i
const SECRET_HEADER = /token|auth|bearer|jwt|cookie|secret|passw|pwd|key|session|credential|csrf|xsrf/i

export function isSecretHeader(name: string, viewer: Viewer): boolean {
  return SECRET_HEADER.test(name) || viewer.isTokenHeader(name) || mayHoldToken(name)
}

function isSecret(name: string): boolean {
  return SECRET.test(name) || mayHoldToken(name)
}

/** Shorter values occur in other texts by chance. */
const SHORTEST_SECRET = 4
const NO_SECRET = /^(?:bearer|basic|token|digest|authorization|undefined|null|none|object)$/i

export function redactionOf({ request, contract }: Exchange, viewer: Viewer): Redact {
  const { headers, query, url, text } = request
  const ownWords = (contract?.conventions.tokenHeaders ?? []).flatMap((header) => wordsOf(writtenHeader(header)))
  const values = [...Object.values(headers), ...Object.values(query)].flat()
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      isSecretHeader(name, viewer) ? inHeader(name, String(value)) : [],
    ),
    ...inFields(query),
    ...inFields(bodyFieldsOf(request) ?? {}),
    ...[...values, text ?? ''].flatMap((value = '') => BEARER.exec(value)?.[1] ?? []),
    ...inUrl(url),
    ...inUrl(String(headers.referer ?? '')),
    ...knownTokens(request, viewer),
    ...viewer.settings.secrets,
  ]
  const isOwn = (one: string) => {
    const word = one.replaceAll(AROUND, '')
    return NO_SECRET.test(word) || ownWords.includes(word) || isPlaceholder(one)
  }
  return redactor(secrets.filter((one) => one.length >= SHORTEST_SECRET && !isOwn(one)))
}

/** Cookies, credentials without scheme, and tokens without a sandbox's suffix. */
function inHeader(name: string, value: string): string[] {
  if (/\[object \w+\]/.test(value)) return []
  if (/cookie/i.test(name)) return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
  // Keys of JSON are public.
  const inJson = /^[^{[]{0,10}[{[]/.test(value) ? wordsOf(value.replaceAll(JSON_KEY, ' ')) : []
  const words = value.split(/[\s,;=]+/).flatMap((one) => [one, ...(inJson.length > 0 ? [] : wordsOf(one))])
  return [...words, ...inJson].flatMap((token) => {
    const ending = splitSandboxSuffix(token)
    if (ending === undefined) return [token]
    return [token, ending.token, ...(SANDBOX_NAME.test(ending.sandbox) ? [] : [ending.sandbox])]
  })
}

const BEARER = /\bbearer\s+([^\s,;]+)/i
const AROUND = /^\W+|(?<!\W)\W+$/g

function inFields(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, whole]) =>
    [whole].flat().flatMap((value) => {
      if (typeof value !== 'string') return []
      const json = isSecret(name) ? undefined : jsonIn(value)
      return json === undefined ? (isSecret(name) ? [value] : []) : inFields(Object.fromEntries(flatTexts(json)))
    }),
  )
}

/** Pairs may stand anywhere in a URL, and be escaped. */
function inUrl(url: string): string[] {
  const once = safeDecodeURIComponent(url.replaceAll('+', ' '))
  const inPairs = [url, once, safeDecodeURIComponent(once)].flatMap((text) =>
    Array.from(text.matchAll(PAIR), ([, name = '', value = '']) => (isSecret(name) ? value : '')),
  )
  return [...inPairs, CREDENTIALS.exec(url)?.[1] ?? '']
}

const CREDENTIALS = /^[\w+.-]{1,20}:\/\/([^/@\s]+)@/

const PAIR = /([^?&;/=\s]{1,100})=([^?&;/\s]*)/g

const JSON_KEY = /["']?\b\w+["']? *[:=]/g
const BETWEEN_WORDS = /[\s/?&=;,:"'<>(){}[\]|]+/

function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS)
}

function knownTokens({ url, params, query, form, text }: Exchange['request'], viewer: Viewer): string[] {
  const values = [params, query, form ?? {}].flatMap((part) => Object.values<unknown>(part)).flat()
  const texts = [url, text ?? '', ...values.filter((value) => typeof value === 'string')]
  const words = new Set(texts.flatMap((one) => [one, ...wordsOf(one)]))
  for (const word of [...words])
    if (word.includes('%')) for (const one of wordsOf(safeDecodeURIComponent(word))) words.add(one)
  return [...words].filter((one) => one.length >= SHORTEST_SECRET && viewer.isToken(one))
}

/** With more, everything counts as secret: each takes a search. */
const MOST_SECRETS = 200
/** A shorter secret may be a word: it is only replaced where it stands alone. */
const SHORTEST_ANYWHERE = 12

/** Also in JSON and URLs. Makes no pattern, since clients choose the secrets. */
export function redactor(secrets: readonly string[]): Redact {
  const own = new Set(secrets)
  if (own.size === 0) return (value) => value
  if (own.size > MOST_SECRETS) return (value) => changeTexts(value, () => REDACTED)
  const forms = [...new Set([...own].flatMap(formsOf))].filter((form) => !REDACTED.includes(form))
  forms.sort((one, other) => other.length - one.length)
  return (value) => changeTexts(value, (text) => forms.reduce(withoutForm, text))
}

function changeTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((one) => changeTexts(one, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [changeTexts(key, change), changeTexts(one, change)]),
  ) as T
}

function withoutForm(text: string, form: string): string {
  let shown = ''
  let rest = 0
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    if (at < rest || !(form.length >= SHORTEST_ANYWHERE || isAlone(text, at, at + form.length))) continue
    shown += text.slice(rest, at) + REDACTED
    rest = at + form.length
  }
  return rest === 0 ? text : shown + text.slice(rest)
}

/** An escape ends what stands before it; a dot may end a sentence. */
function isAlone(text: string, begin: number, end: number): boolean {
  const before = text.slice(Math.max(0, begin - 3), begin)
  const isApart = /%[\dA-Fa-f]{2}$/.test(before) || !/[\w.~-]$/.test(before)
  return isApart && !/^(?:[\w-]|\.[\w-])/.test(text.slice(end, end + 2))
}

function formsOf(secret: string): string[] {
  // Half a surrogate pair cannot be encoded.
  const encoded = encodeURIComponent(Buffer.from(secret).toString())
  const inLowerCase = encoded.replace(/%../g, (hex) => hex.toLowerCase())
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, inLowerCase]
}
