import { resolve } from 'node:path'
import type { Static, TSchema } from '@sinclair/typebox'
import { isValid } from '../engine/contract/check.js'
import { closedObject } from '../engine/contract/fields.js'
import { nearest } from '../engine/contract/nearest.js'
import { describeAllowed, didYouMean, quoteGiven } from '../engine/contract/wording.js'
import { optionTable as tableWith } from '../engine/files/config.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { toolOptions } from './tools.js'

/** Every option, those of tools among them. */
const Options = closedObject(tableWith(toolOptions))
export type Options = Static<typeof Options>
export type OptionName = keyof Options

/** The schema of every option. */
export const optionTable: Readonly<Record<OptionName, TSchema>> = Options.properties
export const optionNames = Object.keys(optionTable) as OptionName[]

/** Whether an edit of the config file changes it in a running server. */
export function isLive(name: OptionName): boolean {
  return optionTable[name]['x-option']?.live === true
}

export const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const PREFIX = 'COUNTERSIGN_'
const environmentOf = (name: string) => `${PREFIX}${flagOf(name).replaceAll('-', '_').toUpperCase()}`

/** Options with their relative paths resolved from a folder. */
export function withAbsolutePaths<T extends object>(options: T, folder: string): T {
  const absolute = Object.entries(options).map(([name, value]) => {
    const isPath = optionTable[name as OptionName]?.['x-option']?.path === true && value !== undefined
    return [name, isPath ? resolve(folder, value) : value]
  })
  return Object.fromEntries(absolute) as T
}

/**
 * Reads the options that the environment sets, but for those that flags set.
 * @throws {InvalidOption} for a value that does not fit
 */
export function readEnvironment(environment: NodeJS.ProcessEnv, flags: Partial<Options> = {}): Partial<Options> {
  const options: Record<string, unknown> = {}
  for (const name of optionNames) {
    const variable = environmentOf(name)
    const text = environment[variable]
    if (!text || flags[name] !== undefined || isOfKubernetes(variable, text)) continue
    if (/^(["']).*\1$/s.test(text))
      throw new InvalidOption(`${variable} has quotes around its value: leave them out, they are part of it.`)
    options[name] = optionTable[name].type === 'array' ? namesIn(text) : decodeOption(name, text, variable)
  }
  return options
}

/** Splits a comma-separated list. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((one) => one.trim()))].filter((one) => one !== '')
}

/**
 * The value of an option that was written as text; `source` is the flag or variable that it was written for.
 * @throws {InvalidOption} for a value that does not fit
 */
export function decodeOption(name: OptionName, text: string, source: string): unknown {
  const schema = optionTable[name]
  const value = decode(schema, text)
  if (isValid(schema, value)) return value
  const hint = didYouMean(text, (schema.enum as string[] | undefined) ?? [])
  throw new InvalidOption(`${source} must be ${describeAllowed(schema)}, not ${quoteGiven(schema, text)}.${hint}`)
}

function decode({ type }: TSchema, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  return text
}

/** What `mutate` sets to the id of the mutant, empty in the runs without one. */
export const MUTANT = `${PREFIX}MUTANT`

/** Variables that `exec` sets for its command or reads, and that `verify` reads. */
const OTHERS = [MUTANT, ...['URL', 'TOKEN', 'ADMIN_URL', 'ADMIN_TOKEN'].map((name) => `${PREFIX}${name}`)]

/** Edits per letter after which a name is a different one. */
const MOST_EDITS = 0.3

/**
 * Messages about variables that begin like ours and are unknown: those that were surely meant for another one, and the
 * others. Values are not quoted: they may be secrets.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv, flags: readonly string[] = []) {
  const known = [...optionNames.map(environmentOf), ...OTHERS]
  const mistaken: string[] = []
  const strange: string[] = []
  const ofService: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    // An empty one is as if it were not set.
    if (!name.startsWith(PREFIX) || !value) continue
    if (isOfKubernetes(name, value)) ofService.push(name)
    if (known.includes(name) || isOfKubernetes(name, value)) continue
    const flag = flags.find((one) => environmentOf(one) === name)
    if (flag !== undefined) mistaken.push(`The environment variable ${name} has no effect: pass --${flagOf(flag)}.`)
    if (flag !== undefined) continue
    const word = name.slice(PREFIX.length)
    const words = known.map((variable) => variable.slice(PREFIX.length))
    const meant = nearest(word, words, Math.max(1, Math.floor(word.length * MOST_EDITS)))
    if (meant === undefined) strange.push(`The environment variable ${name} is unknown and has no effect.`)
    else mistaken.push(`The environment variable ${name} is unknown. Did you mean ${PREFIX}${meant}?`)
  }
  if (ofService.length > 0)
    strange.push(
      `${ofService.sort().join(', ')}: Kubernetes sets these for a Service of this name; they have no effect.`,
    )
  return { mistaken, strange }
}

/** Variables that Kubernetes sets in every container for a Service called `countersign`. */
function isOfKubernetes(name: string, value: string): boolean {
  const word = name.slice(PREFIX.length)
  return (
    /^SERVICE_(?:HOST|PORT)|^PORT_\d+_(?:TCP|UDP)/.test(word) || (word === 'PORT' && /^(?:tcp|udp):\/\//.test(value))
  )
}
