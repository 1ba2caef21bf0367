import type { CitableTexts } from '../contract/citable-texts.js'
import { type Contract, formatHeader } from '../contract/contract.js'
import { flattenFields } from '../contract/json.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { REDACTED } from '../contract/wording.js'
import { bodyFieldsOf } from '../judge/body-fields.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { isPlaceholder, jsonIn } from '../judge/text.js'
import { mayHoldToken, splitSandboxSuffix } from '../judge/token.js'
import type { Exchange } from './exchange.js'

/** The part of a sandbox that journal entries need. */
export interface Viewer {
  readonly prefix: string
  readonly api: CitableTexts
  readonly settings: { readonly secrets: readonly string[] }
  isToken(text: string): boolean
  isTokenHeader(name: string): boolean
  /** False if the values of a corrected request name records of which the token's user has none. */
  canUseValues(contract: Contract, values: Readonly<Record<string, string>>, token: string): boolean
}

export type Redact = <T>(value: T) => T

const SECRET = /token|auth|bearer|jwt|cookie|secret|passw|pwd|session|credential|\w[-_]?key$|^sid$/i
const SECRET_HEADER = /token|auth(?!enticate)|bearer|jwt|cookie|secret|passw|pwd|key|session|credential|csrf|xsrf/i

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
  const documentedWords = (contract?.conventions.tokenHeaders ?? []).flatMap((one) => wordsOf(formatHeader(one)))
  const values = [...Object.values(headers), ...Object.values(query)].flat()
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      isSecretHeader(name, viewer) ? secretsInHeader(name, String(value)) : [],
    ),
    ...secretsInFields(query),
    ...secretsInFields(bodyFieldsOf(request) ?? {}),
    ...[...values, text ?? ''].flatMap((value = '') => BEARER.exec(value)?.[1] ?? []),
    ...secretsInText(text ?? ''),
    ...secretsInUrl(url),
    ...secretsInUrl(String(headers.referer ?? '')),
    ...userTokensIn(request, viewer),
    ...viewer.settings.secrets,
  ]
  const isPublic = (secret: string) => {
    const word = secret.replaceAll(OUTER_SIGNS, '')
    return NO_SECRET.test(word) || documentedWords.includes(word) || isPlaceholder(secret)
  }
  return redactor(secrets.filter((secret) => secret.length >= SHORTEST_SECRET && !isPublic(secret)))
}

/** Values of cookies; words of other headers, tokens also without their sandbox suffix. */
function secretsInHeader(name: string, value: string): string[] {
  if (/\[object \w+\]/.test(value)) return []
  if (/cookie/i.test(name)) {
    const cookies = value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
    return cookies.flatMap((cookie) => [cookie, cookie.replace(/^"(.*)"$/, '$1')])
  }
  // The keys of JSON are not secret.
  const jsonWords = /^[^{[]{0,10}[{[]/.test(value) ? wordsOf(value.replaceAll(JSON_KEY, ' ')) : []
  const words = value.split(/[\s,;=]+/).flatMap((word) => [word, ...(jsonWords.length > 0 ? [] : wordsOf(word))])
  return [...words, ...jsonWords].flatMap((token) => {
    const split = splitSandboxSuffix(token)
    if (split === undefined) return [token]
    return [token, split.token, ...(SANDBOX_NAME.test(split.sandbox) ? [] : [split.sandbox])]
  })
}

const BEARER = /\bbearer\s+([^\s,;]+)/i
const OUTER_SIGNS = /^\W+|(?<!\W)\W+$/g

function secretsInFields(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const texts = [field].flat().filter((value) => typeof value === 'string')
    if (isSecret(name)) return texts
    return texts.flatMap((text) => secretsInFields(Object.fromEntries(flattenFields(jsonIn(text) ?? {}))))
  })
}

/** Pairs may occur anywhere in a URL, and be escaped once or twice. */
function secretsInUrl(url: string): string[] {
  const decoded = safeDecodeURIComponent(url.replaceAll('+', ' '))
  return [url, decoded, safeDecodeURIComponent(decoded)].flatMap((text) => [
    ...Array.from(text.matchAll(PAIR), ([, name = '', value = '']) => (isSecret(name) ? value : '')),
    ...Array.from(text.matchAll(CREDENTIALS), ([, credentials = '']) => credentials),
    ...secretsInText(text),
  ])
}

/** Invalid JSON, such as a text that is cut off, may still have pairs. */
function secretsInText(text: string): string[] {
  return Array.from(text.matchAll(TEXT_PAIR), ([, name = '', double, single]) => {
    return isSecret(name) ? (double ?? single ?? '') : ''
  })
}

const TEXT_PAIR = /["']([\w-]{1,100})["']\s{0,9}:\s{0,9}(?:"((?:[^"\\]|\\.)*)(?:"|$)|'((?:[^'\\]|\\.)*)(?:'|$))/g

const CREDENTIALS = /[\w+.-]{1,20}:\/\/([^/?#@\s]+)@/g

const PAIR = /([^?&;/=\s]{1,100})=([^?&;/\s]*)/g

const JSON_KEY = /["']?\b\w+["']? *[:=]/g
const BETWEEN_WORDS = /[\s/?&=;,:"'<>(){}[\]|]+/

function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS)
}

function userTokensIn({ url, headers, params, query, form, text }: Exchange['request'], viewer: Viewer): string[] {
  const texts: string[] = []
  changeTexts([url, headers, params, query, form, text], (one) => {
    texts.push(one)
    return one
  })
  const isToken = (word: string) => word.length >= SHORTEST_SECRET && viewer.isToken(word)
  return [...new Set(texts.flatMap((one) => [one, ...wordsOf(one)]))].flatMap((word) => {
    if (!word.includes('%')) return isToken(word) ? [word] : []
    const decoded = safeDecodeURIComponent(safeDecodeURIComponent(word))
    const tokens = [decoded, ...wordsOf(decoded)].filter(isToken)
    return isToken(decoded) ? [word, ...tokens] : tokens
  })
}

/** Above this, all texts are redacted: each secret costs a search. */
const MAX_SECRETS = 200
/** A shorter secret may be a part of a word, and is only replaced as a whole word. */
const SHORTEST_ANYWHERE = 12

/** Redacts secrets, also as written in JSON and URLs. No regular expressions: clients choose the secrets. */
export function redactor(secrets: readonly string[]): Redact {
  const distinct = new Set(secrets)
  if (distinct.size === 0) return (value) => value
  if (distinct.size > MAX_SECRETS) return (value) => changeTexts(value, () => REDACTED)
  const spellings = [...new Set([...distinct].flatMap(spellingsOf))].filter((spelling) => !REDACTED.includes(spelling))
  spellings.sort((left, right) => right.length - left.length)
  return (value) => changeTexts(value, (text) => spellings.reduce(redactSpelling, text))
}

function changeTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item) => changeTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [changeTexts(key, change), changeTexts(one, change)])
  return Object.fromEntries(entries)
}

function redactSpelling(text: string, spelling: string): string {
  let redacted = ''
  let rest = 0
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    if (at < rest || !(spelling.length >= SHORTEST_ANYWHERE || isWholeWord(text, at, at + spelling.length))) continue
    redacted += text.slice(rest, at) + REDACTED
    rest = at + spelling.length
  }
  return rest === 0 ? text : redacted + text.slice(rest)
}

/** A word may follow an escape, such as `%20`, and precede the dot of a sentence. */
function isWholeWord(text: string, begin: number, end: number): boolean {
  const before = text.slice(Math.max(0, begin - 3), begin)
  const isBeginning = /%[\dA-Fa-f]{2}$/.test(before) || !/[\w.~-]$/.test(before)
  return isBeginning && !/^(?:[\w-]|\.[\w-])/.test(text.slice(end, end + 2))
}

function spellingsOf(secret: string): string[] {
  // Half a surrogate pair cannot be encoded.
  const encoded = encodeURIComponent(Buffer.from(secret).toString())
  const inLowerCase = encoded.replace(/%../g, (hex) => hex.toLowerCase())
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+'), inLowerCase]
}
