import { lettersApart } from '../contract/nearest.js'

/** The names of the mock's own preferences. */
export const PREFERENCES = ['code', 'expect', 'delay', 'scenario', 'fault'] as const

/** The preference that is surely meant by a name; other RFCs' are left alone. */
export function preferenceMeant(name: string): string | undefined {
  if (name.length > 20) return undefined
  const word = name.toLowerCase()
  if (/^(?:status|outcome)$/.test(word)) return 'code'
  const [, exact] = /^(?:x|http|mock|status)[-_](.*)$/.exec(word) ?? []
  if (exact !== undefined) return PREFERENCES.find((one) => one === exact)
  return PREFERENCES.find(
    (one) => lettersApart(word, one) <= (one.length > 5 ? 2 : 1) || (word.length >= 4 && one.startsWith(word)),
  )
}
