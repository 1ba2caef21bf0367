import type { Test } from 'tap'
import { until } from './binary.js'

/** Compares a text with a pattern in which `*` matches any text. */
export function fits(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let position = first.length
  for (const part of parts) {
    const found = text.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return position <= text.length - last.length
}

/** Replaces each `*` in the expected JSON by the actual value, so that a diff shows only real differences. */
export function fillWildcards(expected: unknown, actual: unknown): unknown {
  if (typeof expected === 'string') {
    if (expected === '*') return actual
    return typeof actual === 'string' && fits(actual, expected) ? actual : expected
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return expected
  if (Array.isArray(expected)) {
    const isOpen = expected.at(-1) === '*' && Array.isArray(actual)
    const items = isOpen ? expected.slice(0, -1) : expected
    const filled = items.map((item, at) => fillWildcards(item, (actual as unknown[])[at]))
    return isOpen ? [...filled, ...actual.slice(items.length)] : filled
  }
  const { '*': rest, ...members } = expected as Record<string, unknown>
  const values = actual as Record<string, unknown>
  const filled = Object.entries(members).map(([key, value]) => [key, fillWildcards(value, values[key])])
  return { ...(rest === undefined ? {} : actual), ...Object.fromEntries(filled) }
}

/** Waits up to 5 s until the text fits, except for white space around it; a failure prints both texts in full. */
export async function expectOutput(t: Test, look: () => string | Promise<string>, expected: string, message: string) {
  let shown = ''
  const isShown = async () => {
    shown = await look()
    return fits(shown.trim(), expected.trim())
  }
  const isSame = await until(isShown, 5_000, 40).catch(() => false)
  t.equal(isSame ? expected : shown, expected, message)
}
