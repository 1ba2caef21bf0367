import type { Test } from 'tap'
import { until } from './binary.js'

/** Whether a text is as expected; `*` stands for anything. */
export function fits(text: string, expected: string): boolean {
  const [first = '', ...parts] = expected.split('*')
  const last = parts.pop()
  if (last === undefined) return text === expected
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** The expected JSON, with what is there in the place of each `*` that allows it; so that a difference shows. */
export function filled(expected: unknown, actual: unknown): unknown {
  if (typeof expected === 'string') {
    if (expected === '*') return actual
    return typeof actual === 'string' && fits(actual, expected) ? actual : expected
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return expected
  if (Array.isArray(expected)) {
    const rest = expected.at(-1) === '*' && Array.isArray(actual)
    const items = rest ? expected.slice(0, -1) : expected
    const known = items.map((one, at) => filled(one, (actual as unknown[])[at]))
    return rest ? [...known, ...actual.slice(items.length)] : known
  }
  const { '*': others, ...named } = expected as Record<string, unknown>
  const known = Object.entries(named).map(([key, one]) => [key, filled(one, (actual as Record<string, unknown>)[key])])
  return { ...(others === undefined ? {} : actual), ...Object.fromEntries(known) }
}

/** Waits a while until what is shown is as expected, but for white space around it; a difference is told in full. */
export async function shows(t: Test, look: () => string | Promise<string>, expected: string, what: string) {
  let shown = ''
  const isShown = async () => {
    shown = await look()
    return fits(shown.trim(), expected.trim())
  }
  const isSame = await until(isShown, 5_000, 40).catch(() => false)
  t.equal(isSame ? expected : shown, expected, what)
}
