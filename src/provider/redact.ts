const REDACTED = '[redacted]'

/** Takes what must not be printed out of a value before it is quoted. */
export type Redact = (value: unknown) => unknown

/** Secrets that are shorter may stand in any word. */
const SHORTEST = 6

/** Takes secrets out of the texts of a value; numbers stay what they are. */
export function withoutTexts(secrets: readonly string[]): Redact {
  const redact = without(secrets.filter(({ length }) => length >= SHORTEST))
  const texts: Redact = (value) => (typeof value === 'number' ? value : redactTexts(value))
  const redactTexts = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(texts)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), texts(one)]))
  }
  return texts
}

/** Takes secrets out, as they are and as JSON and URLs write them: a provider may say its token back. */
export function without(secrets: readonly string[]): Redact {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  const redact: Redact = (value) => {
    if (typeof value === 'string') return forms.reduce((text, form) => text.replaceAll(form, REDACTED), value)
    if (typeof value === 'number') return forms.some((form) => String(value).includes(form)) ? REDACTED : value
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), redact(one)]))
  }
  return redact
}
