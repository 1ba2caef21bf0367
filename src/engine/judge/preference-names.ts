import { editDistance } from '../contract/nearest.js'

export const PREFERENCES = ['code', 'expect', 'delay', 'scenario', 'fault'] as const

function nearestPreference(name: string): string | undefined {
  if (name.length > 20) return undefined
  const word = name.toLowerCase()
  if (/^(?:status|outcome)$/.test(word)) return 'code'
  const [, rest] = /^(?:x|http|mock|status)[-_](.*)$/.exec(word) ?? []
  if (rest !== undefined) return PREFERENCES.find((one) => one === rest)
  const isTypo = (preference: string) => editDistance(word, preference) <= (preference.length > 5 ? 2 : 1)
  return PREFERENCES.find((one) => isTypo(one) || (word.length >= 4 && one.startsWith(word)))
}

/** The preference that was probably intended by a query parameter such as `__cod` or `_code`. */
export function findIntendedPreference(parameter: string): string | undefined {
  const [, word = ''] = /^__?(\w+)(?:\[\])?$/.exec(parameter) ?? []
  // A single underscore may begin another parameter.
  return parameter.startsWith('__') ? nearestPreference(word) : PREFERENCES.find((one) => one === word.toLowerCase())
}

const LONGEST_HEADER = 4_096
/** Text between commas outside quotes; an unclosed quote is an ordinary character. */
const PIECE = /(?:[^",]|"(?:[^"\\]|\\.)*"|")+/g

export function splitPreferences(header: string): readonly string[] {
  const pieces = header.slice(0, LONGEST_HEADER).match(PIECE) ?? []
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '')
}

const MAX_PREFERENCES = 20
const UNQUOTED_SEMICOLON = /;(?=(?:[^"]*"[^"]*")*[^"]*$)/

export function misspelledPreferences(header: unknown): readonly (readonly [sent: string, intended: string])[] {
  const pieces = splitPreferences(String(header ?? '')).slice(0, MAX_PREFERENCES)
  return pieces.flatMap((piece) => {
    const [first = '', ...parameters] = piece.split(UNQUOTED_SEMICOLON)
    // A parameter of another preference: a comma was intended instead of the semicolon.
    const preference = parameters.find((one) => PREFERENCES.some((name) => one.trim().startsWith(`${name}=`)))
    if (preference !== undefined) return [[`;${preference}`, `Prefer: ${first.trim()}, ${preference.trim()}`] as const]
    const [name = '', value = ''] = piece.split(/ *[=:] */)
    const isCorrect = PREFERENCES.some((one) => one === name.toLowerCase()) && !piece.includes(`${name}:`)
    const intended = /^\d{3}$/.test(name) ? `code=${name}` : nearestPreference(name)
    if (intended === undefined || isCorrect) return []
    return [[piece, `Prefer: ${intended}${value === '' ? '' : `=${value}`}`] as const]
  })
}
