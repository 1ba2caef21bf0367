import { writtenHeader } from '../contract/contract.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { isPlaceholder } from '../judge/text.js'
import { mayHoldToken, splitSandboxSuffix } from '../judge/token.js'
import type { Exchange } from './exchange.js'
import { type Redact, redactor } from './redactor.js'
import type { Viewer } from './viewer.js'

/** Names of parameters and fields. */
const SECRET = /token|auth|bearer|jwt|cookie|secret|password|api[-_]?key/i
const SECRET_HEADER = /token|auth|bearer|jwt|cookie|secret|password|key|session/i

/** True for a header whose value is never shown. */
export function isSecretHeader(name: string, viewer: Viewer): boolean {
  return SECRET_HEADER.test(name) || viewer.isTokenHeader(name) || mayHoldToken(name)
}

function isSecret(name: string): boolean {
  return SECRET.test(name) || mayHoldToken(name)
}

/** Shorter values are too common in other text to be searched for. */
const SHORTEST_SECRET = 4
const NO_SECRET = /^(?:bearer|basic|token|digest|authorization|undefined|object)$/i

/** Redacts the secrets of a request, which the client may have put in other places as well. */
export function redactionOf({ request, contract }: Exchange, viewer: Viewer): Redact {
  const { headers, query, form, url } = request
  const ownWords = (contract?.conventions.tokenHeaders ?? []).flatMap((header) => wordsOf(writtenHeader(header)))
  const pairs = [...Object.entries(query), ...Object.entries(form ?? {})].filter(([name]) => isSecret(name))
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      isSecretHeader(name, viewer) ? inHeader(name, String(value)) : [],
    ),
    ...pairs.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === 'string'),
    ...inUrl(url),
    ...inUrl(String(headers.referer ?? '')),
    ...knownTokens(request, viewer),
    ...viewer.secrets,
  ]
  const isOwn = (one: string) => NO_SECRET.test(one) || ownWords.includes(one.replace(/\W+$/, '')) || isPlaceholder(one)
  return redactor(secrets.filter((one) => one.length >= SHORTEST_SECRET && !isOwn(one)))
}

/** The values of cookies, and credentials without the scheme; of a token with a sandbox's name also the part before it. */
function inHeader(name: string, value: string): string[] {
  if (/cookie/i.test(name)) return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
  // The keys of JSON are no secrets.
  const inJson = /^[^{[]{0,10}[{[]/.test(value) ? wordsOf(value.replaceAll(JSON_KEY, ' ')) : []
  const words = value.split(/[\s,;=]+/).flatMap((one) => [one, ...(inJson.length > 0 ? [] : wordsOf(one))])
  return [...words, ...inJson].flatMap((token) => {
    const ending = splitSandboxSuffix(token)
    if (ending === undefined) return [token]
    return [token, ending.token, ...(SANDBOX_NAME.test(ending.sandbox) ? [] : [ending.sandbox])]
  })
}

/** Secrets as the URL spells them: `+` and escapes have more than one spelling. */
function inUrl(url: string): string[] {
  const [, search = ''] = /\?(.*)/s.exec(url) ?? []
  // Names may be escaped.
  if (!search.includes('%') && !search.split('&').some((pair) => isSecret(pair.split('=', 1)[0] ?? ''))) return []
  return search
    .split('&')
    .filter((pair) => isSecret([...new URLSearchParams(pair).keys()].join()))
    .flatMap((pair) => [pair.slice(pair.indexOf('=') + 1), ...new URLSearchParams(pair).values()])
}

const JSON_KEY = /["']?\b\w+["']? *[:=]/g
const BETWEEN_WORDS = /[\s/?&=;,:"'<>(){}[\]|]+/

function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS)
}

/** Tokens of users and of the server in places that are not meant for secrets. */
function knownTokens({ url, params, query, form, text }: Exchange['request'], viewer: Viewer): string[] {
  const values = [params, query, form ?? {}].flatMap((part) => Object.values<unknown>(part)).flat()
  const texts = [url, text ?? '', ...values.filter((value) => typeof value === 'string')]
  const words = new Set(texts.flatMap((one) => [one, ...wordsOf(one)]))
  for (const word of [...words])
    if (word.includes('%')) for (const one of wordsOf(safeDecodeURIComponent(word))) words.add(one)
  return [...words].filter((one) => one.length >= SHORTEST_SECRET && viewer.isToken(one))
}
