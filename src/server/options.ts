import { resolve } from 'node:path'
import type { Static, TSchema } from '@sinclair/typebox'
import { isValid } from '../engine/contract/check.js'
import { closedObject } from '../engine/contract/fields.js'
import { findNearest } from '../engine/contract/nearest.js'
import { describeAllowed, didYouMean, quoteSafely } from '../engine/contract/wording.js'
import { optionTable as createOptionTable } from '../engine/files/config.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { toolOptions } from './tools.js'

const Options = closedObject(createOptionTable(toolOptions))
export type Options = Static<typeof Options>
export type OptionName = keyof Options

export const optionTable: Readonly<Record<OptionName, TSchema>> = Options.properties
export const optionNames = Object.keys(optionTable) as OptionName[]

export const isLive = (name: OptionName) => optionTable[name]['x-option']?.live === true
export const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const PREFIX = 'COUNTERSIGN_'
const variableOf = (name: string) => `${PREFIX}${flagOf(name).replaceAll('-', '_').toUpperCase()}`

export function withAbsolutePaths<T extends object>(options: T, folder: string): T {
  const absolute = Object.entries(options).map(([name, value]) => {
    const isPath = optionTable[name as OptionName]?.['x-option']?.isPath === true && value !== undefined
    return [name, isPath ? resolve(folder, value) : value]
  })
  return Object.fromEntries(absolute) as T
}

/** Skips variables that flags override. @throws {InvalidOption} for an invalid value */
export function readEnvironment(environment: NodeJS.ProcessEnv, flags: Partial<Options> = {}): Partial<Options> {
  const options: Record<string, unknown> = {}
  for (const name of optionNames) {
    const variable = variableOf(name)
    const text = environment[variable]
    if (!text || flags[name] !== undefined || isKubernetesVariable(variable, text)) continue
    if (/^(["']).*\1$/s.test(text)) throw new InvalidOption(`The value of ${variable} is quoted: remove the quotes.`)
    options[name] = optionTable[name].type === 'array' ? splitNames(text) : decodeOption(name, text, variable)
  }
  return options
}

export function splitNames(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
}

/** `source` is the flag or variable. @throws {InvalidOption} for an invalid value */
export function decodeOption(name: OptionName, text: string, source: string): unknown {
  const schema = optionTable[name]
  const value = decode(schema, text)
  if (isValid(schema, value)) return value
  const hint = didYouMean(text, (schema.enum as string[] | undefined) ?? [])
  throw new InvalidOption(`${source} must be ${describeAllowed(schema)}, not ${quoteSafely(schema, text)}.${hint}`)
}

function decode({ type }: TSchema, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  return text
}

/** Set by `mutate`: the id of the mutant; empty in control runs. */
export const MUTANT = `${PREFIX}MUTANT`

/** Variables that commands set, or that `verify` reads. */
const OTHER_VARIABLES = [MUTANT, ...['URL', 'TOKEN', 'ADMIN_URL', 'ADMIN_TOKEN'].map((name) => `${PREFIX}${name}`)]

const EDITS_PER_LETTER = 0.3

/** Finds unknown variables. Messages never quote values, which may be secrets. */
export function checkEnvironment(environment: NodeJS.ProcessEnv, flags: readonly string[] = []) {
  const suffixes = [...optionNames.map(variableOf), ...OTHER_VARIABLES].map((variable) => variable.slice(PREFIX.length))
  const errors: string[] = []
  const warnings: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    const suffix = name.slice(PREFIX.length)
    // An empty variable counts as unset.
    if (!name.startsWith(PREFIX) || !value || isKubernetesVariable(name, value)) continue
    if (!suffixes.includes(suffix)) {
      const flag = flags.find((one) => variableOf(one) === name)
      const similar = findNearest(suffix, suffixes, Math.max(1, Math.floor(suffix.length * EDITS_PER_LETTER)))
      if (flag !== undefined) errors.push(`The environment variable ${name} has no effect: pass --${flagOf(flag)}.`)
      else if (similar !== undefined)
        errors.push(`The environment variable ${name} is unknown. Did you mean ${PREFIX}${similar}?`)
      else warnings.push(`The environment variable ${name} is unknown and has no effect.`)
    }
  }
  return { errors, warnings }
}

/** Kubernetes sets them for a Service whose name is `countersign` or begins with it. */
function isKubernetesVariable(name: string, value: string): boolean {
  if (/_PORT$/.test(name) && /^(?:tcp|udp|sctp):\/\//i.test(value)) return true
  return /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/.test(name)
}
