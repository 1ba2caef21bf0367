import { type Redact, redactor } from '../../text/redacted.js'
import { unescaped } from '../../text/unescaped.js'
import { isPlaceholder } from '../../validation/suspicious.js'
import { SANDBOX_NAME } from '../sandbox-name.js'
import { tokenEnding } from '../token-ending.js'
import type { Exchange } from './exchange.js'

/** Names of headers, query keys and form fields that contain secrets. */
export const SECRET = /token|authorization|cookie|secret|password|api[-_]?key/i

/** Shorter values are too common in other text to be searched for. */
const SHORTEST_SECRET = 4
const NO_SECRET = /^(bearer|basic|token|digest)$/i

/** What this client sent as a secret, to be replaced wherever else it may have ended up. */
export function redactionOf(exchange: Exchange): Redact {
  return redactor(
    secretsOf(exchange).filter(
      (secret) => secret.length >= SHORTEST_SECRET && !NO_SECRET.test(secret) && !isPlaceholder(secret),
    ),
  )
}

function secretsOf(exchange: Exchange): string[] {
  const { headers, query, form, url, secret } = exchange
  return [
    ...inHeaders(headers),
    ...valuesIn(query),
    ...valuesIn(form ?? {}),
    ...inUrl(url),
    ...knownTokens(exchange),
    ...(secret === undefined ? [] : [secret]),
  ]
}

/** The tokens of users, and the one of admin, that stand where no secret is due. */
function knownTokens({ url, params, query, form, text, isToken }: Exchange): string[] {
  const values = [...Object.values(params), ...[...Object.values(query), ...Object.values(form ?? {})].flat()]
  const texts = [url, text ?? '', ...values.filter((value) => typeof value === 'string')]
  const pieces = new Set(texts.flatMap((one) => [one, ...one.split(BETWEEN_WORDS)]))
  for (const piece of [...pieces]) {
    if (!piece.includes('%')) continue
    const plain = unescaped(piece)
    for (const one of [plain, ...plain.split(BETWEEN_WORDS)]) pieces.add(one)
  }
  return [...pieces].filter(isToken)
}

const BETWEEN_WORDS = /[\s/?&=;,:"'<>(){}[\]|]+/

/** Of cookies the values, of credentials all but the scheme. */
function inHeaders(headers: Exchange['headers']): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => SECRET.test(name) && value !== undefined)
    .flatMap(([name, value]) =>
      /cookie/i.test(name)
        ? String(value)
            .split(/;\s*/)
            .map((pair) => pair.slice(pair.indexOf('=') + 1))
        : String(value)
            .split(/[\s,;=]+/)
            .flatMap(withEnding),
    )
}

/** A token, and what is secret of it where it may end in a sandbox's name. */
function withEnding(token: string): string[] {
  const ending = tokenEnding(token)
  if (ending === undefined) return [token]
  return [token, ending.token, ...(SANDBOX_NAME.test(ending.sandbox) ? [] : [ending.sandbox])]
}

function valuesIn(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values)
    .filter(([name]) => SECRET.test(name))
    .flatMap(([, value]) => [value].flat())
    .filter((value) => typeof value === 'string')
}

/** As they are written in the URL: `+` and escapes have more than one spelling. */
function inUrl(url: string): string[] {
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  // Names may be escaped; where nothing is, they are what they seem.
  if (!search.includes('%') && !SECRET.test(search)) return []
  return search
    .split('&')
    .filter((pair) => SECRET.test([...new URLSearchParams(pair).keys()].join()))
    .flatMap((pair) => [pair.slice(pair.indexOf('=') + 1), ...new URLSearchParams(pair).values()])
}
