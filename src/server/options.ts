import type { TSchema } from '@sinclair/typebox'
import { type OptionName, Options } from '../../schemas/config.js'
import { allowed, didYouMean, quote, quoteGiven } from '../text/wording.js'
import { checkOf } from '../validation/check.js'
import { InvalidOption } from './invalid-option.js'

/** The schema of every option. */
export const optionTable = Options.properties as Readonly<Record<OptionName, TSchema>>
export const optionNames = Object.keys(optionTable) as OptionName[]
/** The options whose values are paths. */
export const pathNames = optionNames.filter((name) => optionTable[name]['x-option']?.path === true)

export const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const environmentOf = (name: string) => `COUNTERSIGN_${flagOf(name).replaceAll('-', '_').toUpperCase()}`

/**
 * Reads the options that the environment sets.
 * @throws {InvalidOption} with every value that does not fit
 */
export function readEnvironment(environment: NodeJS.ProcessEnv): Partial<Options> {
  const options: Record<string, unknown> = {}
  const wrong: string[] = []
  for (const name of optionNames) {
    const variable = environmentOf(name)
    const text = environment[variable]
    if (!text) continue
    try {
      const isList = optionTable[name].type === 'array'
      options[name] = isList ? splitAtCommas(text, variable) : decodeOption(name, text, variable)
    } catch (error) {
      wrong.push((error as InvalidOption).message)
    }
  }
  if (wrong.length > 0) throw new InvalidOption(wrong.join('\n'))
  return options
}

function splitAtCommas(value: string, variable: string): string[] {
  const names = value.split(',').map((one) => one.trim())
  if (!names.includes('')) return names
  throw new InvalidOption(`${variable} must be a comma-separated list of names, not ${quote(value)}.`)
}

/**
 * The value of an option that was written as text; `source` is the flag or variable that it was written for.
 * @throws {InvalidOption} for a value that does not fit
 */
export function decodeOption(name: OptionName, text: string, source: string): unknown {
  const schema = optionTable[name]
  const value = decode(schema, text)
  if (checkOf(schema)(value).length === 0) return value
  const hint = didYouMean(text, (schema.enum as string[] | undefined) ?? [])
  throw new InvalidOption(`${source} must be ${allowed(schema)}, not ${quoteGiven(schema, text)}.${hint}`)
}

function decode({ type }: TSchema, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  return text
}
