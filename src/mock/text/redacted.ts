/** Stands in the place of a secret. */
export const REDACTED = '[redacted]'

/** Replaces secrets wherever they occur in a value. */
export type Redact = <T>(value: T) => T

/** Replaces these secrets, also as JSON and URLs write them. */
export function redactor(secrets: readonly string[]): Redact {
  const pattern = patternOf(secrets)
  if (pattern === undefined) return (value) => value
  const redact: Redact = (value) => redacted(value, pattern)
  return redact
}

function redacted<T>(value: T, pattern: RegExp): T {
  if (typeof value === 'string') return value.replace(pattern, REDACTED) as T
  if (Array.isArray(value)) return value.map((one) => redacted(one, pattern)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [redacted(key, pattern), redacted(one, pattern)]),
  ) as T
}

/** A shorter secret may be a word, and is replaced only where it is not a part of a longer one, such as a sandbox. */
const SHORTEST_ANYWHERE = 12
const BEFORE_WORD = '(?<![A-Za-z0-9_.~-]|%[0-9A-Fa-f])'
/** A dot may end a sentence. */
const AFTER_WORD = '(?![A-Za-z0-9_-]|\\.[A-Za-z0-9_-])'

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter((form) => form !== '')
  const sorted = forms.sort((one, other) => other.length - one.length)
  if (sorted.length === 0) return undefined
  const isLong = (form: string) => form.length >= SHORTEST_ANYWHERE
  const [long, short] = [sorted.filter(isLong), sorted.filter((form) => !isLong(form))].map(alternativesOf)
  // The common parts stand outside of the alternatives: so a thousand secrets are still matched fast.
  const words = `(?:${BEFORE_WORD}|(?<=%[0-9A-Fa-f]{2}))(?:${short})${AFTER_WORD}`
  return new RegExp([...(long ? [long] : []), ...(short ? [words] : [])].join('|'), 'g')
}

function formsOf(secret: string): string[] {
  // By way of bytes: half a character, which a part of JSON may hold, cannot be encoded.
  const encoded = encodeURIComponent(Buffer.from(secret).toString())
  const inLowerCase = encoded.replace(/%../g, (hex) => hex.toLowerCase())
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, inLowerCase]
}

function alternativesOf(forms: readonly string[]): string {
  return forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
}
