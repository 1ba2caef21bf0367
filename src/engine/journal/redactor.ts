import { REDACTED } from '../contract/wording.js'

export type Redact = <T>(value: T) => T

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
