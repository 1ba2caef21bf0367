import { writtenHeader } from '../contract/contract.js'
import { flatTexts } from '../contract/json.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { bodyOf } from '../judge/reading.js'
import { isPlaceholder, jsonIn } from '../judge/text.js'
import { mayHoldToken, splitSandboxSuffix } from '../judge/token.js'
import type { Exchange } from './exchange.js'
import { type Redact, redactor } from './redactor.js'
import type { Viewer } from './viewer.js'

const SECRET = /token|auth|bearer|jwt|cookie|secret|password|api[-_]?key/i
const SECRET_HEADER = /token|auth|bearer|jwt|cookie|secret|password|key|session/i

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
  const { headers, query, url } = request
  const ownWords = (contract?.conventions.tokenHeaders ?? []).flatMap((header) => wordsOf(writtenHeader(header)))
  const values = [...Object.values(headers), ...Object.values(query)].flat()
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      isSecretHeader(name, viewer) ? inHeader(name, String(value)) : [],
    ),
    ...inFields(query),
    ...inFields(bodyOf(request) ?? {}),
    ...values.flatMap((value = '') => BEARER.exec(value)?.[1] ?? []),
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
const AROUND = /^\W+|\W+$/g

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
  return [url, once, safeDecodeURIComponent(once)].flatMap((text) =>
    Array.from(text.matchAll(PAIR), ([, name = '', value = '']) => (isSecret(name) ? value : '')),
  )
}

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
