import { safeDecodeURIComponent } from '../judge/decode.js'
import { isPlaceholder } from '../judge/suspicious.js'
import { splitSandboxSuffix } from '../judge/token.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { SANDBOX_NAME } from '../sandbox/sandbox-name.js'
import type { Exchange } from './exchange.js'
import { type Redact, redactor } from './redactor.js'

/** Names of parameters and fields. */
const SECRET = /token|authorization|cookie|secret|password|api[-_]?key/i
export const SECRET_HEADER = /token|authorization|cookie|secret|password|key|session/i

/** Shorter values are too common in other text to be searched for. */
const SHORTEST_SECRET = 4
const NO_SECRET = /^(bearer|basic|token|digest)$/i

/** Redacts the secrets of a request, which the client may have put in other places as well. */
export function redactionOf({ request }: Exchange, sandbox: Sandbox): Redact {
  const { headers, query, form, url } = request
  const pairs = [...Object.entries(query), ...Object.entries(form ?? {})].filter(([name]) => SECRET.test(name))
  const secrets = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      SECRET_HEADER.test(name) ? inHeader(name, String(value)) : [],
    ),
    ...pairs.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === 'string'),
    ...inUrl(url),
    ...inUrl(String(headers.referer ?? '')),
    ...knownTokens(request, sandbox),
    ...sandbox.settings.secrets,
  ]
  return redactor(secrets.filter((one) => one.length >= SHORTEST_SECRET && !NO_SECRET.test(one) && !isPlaceholder(one)))
}

/** The values of cookies, and credentials without the scheme; of a token with a sandbox's name also the part before it. */
function inHeader(name: string, value: string): string[] {
  if (/cookie/i.test(name)) return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
  return value.split(/[\s,;=]+/).flatMap((token) => {
    const ending = splitSandboxSuffix(token)
    if (ending === undefined) return [token]
    return [token, ending.token, ...(SANDBOX_NAME.test(ending.sandbox) ? [] : [ending.sandbox])]
  })
}

/** Secrets as the URL spells them: `+` and escapes have more than one spelling. */
function inUrl(url: string): string[] {
  const [, search = ''] = /\?(.*)/s.exec(url) ?? []
  // Names may be escaped.
  if (!search.includes('%') && !SECRET.test(search)) return []
  return search
    .split('&')
    .filter((pair) => SECRET.test([...new URLSearchParams(pair).keys()].join()))
    .flatMap((pair) => [pair.slice(pair.indexOf('=') + 1), ...new URLSearchParams(pair).values()])
}

const BETWEEN_WORDS = /[\s/?&=;,:"'<>(){}[\]|]+/

/** Tokens of users and of the server in places that are not meant for secrets. */
function knownTokens({ url, params, query, form, text }: Exchange['request'], sandbox: Sandbox): string[] {
  const values = [params, query, form ?? {}].flatMap((part) => Object.values<unknown>(part)).flat()
  const texts = [url, text ?? '', ...values.filter((value) => typeof value === 'string')]
  const wordsOf = (one: string) => [one, ...one.split(BETWEEN_WORDS)]
  const words = new Set(texts.flatMap(wordsOf))
  for (const word of [...words])
    if (word.includes('%')) for (const one of wordsOf(safeDecodeURIComponent(word))) words.add(one)
  return [...words].filter((one) => one.length >= SHORTEST_SECRET && sandbox.isToken(one))
}
