import { REDACTED } from '../text/redacted.js'

/** Takes what must not be printed out of a value before it is quoted. */
export type Redact = (value: unknown) => unknown

/** A shorter secret may be a part of any word: it is taken out where it stands alone. */
const SHORTEST_ANYWHERE = 6

/**
 * Takes secrets out of the texts of a value, as they are and as JSON, URLs and base64 write them: a provider may say its
 * token back. Numbers stay what they are.
 */
export function without(secrets: readonly string[]): Redact {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf)
  const pattern = patternOf(forms)
  if (pattern === undefined) return (value) => value
  const redact: Redact = (value) => {
    if (typeof value === 'string') return value.replace(pattern, REDACTED)
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), redact(one)]))
  }
  return redact
}

function formsOf(secret: string): string[] {
  const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  // Of base64, what does not hang on what stands before and after it.
  const encoded = secret.length < SHORTEST_ANYWHERE ? [] : [Buffer.from(secret).toString('base64').replace(/.?=*$/, '')]
  return [...written, ...encoded]
}

/** All at once, the longest first: what was put in the place of one is not looked through for another. */
function patternOf(forms: readonly string[]): RegExp | undefined {
  const all = [...new Set(forms)].sort((one, other) => other.length - one.length)
  if (all.length === 0) return undefined
  const escaped = all.map((form) => {
    const text = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    return form.length < SHORTEST_ANYWHERE ? `(?<![\\w-])${text}(?![\\w-])` : text
  })
  return new RegExp(escaped.join('|'), 'gi')
}
