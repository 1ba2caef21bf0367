import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Config, Options } from '../../schemas/config.js'
import { defaultReadings, type Readings } from '../../schemas/interpretations.js'
import { distinctDepartures, InvalidFiles, locateDeparture, readSource } from '../text/source-file.js'
import { allowed, didYouMean, quote } from '../text/wording.js'
import { checkOf } from '../validation/check.js'
import type { Acceptance } from '../world/world.js'

export type { Options }
export type OptionName = keyof Options

/** A wrong option on the command line, in the environment or in a call, in words for whoever gave it. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption'
}

const table = Options.properties as Readonly<Record<OptionName, TSchema>>
export const optionNames = Object.keys(table) as OptionName[]

export const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
export const environmentOf = (name: string) => `COUNTERSIGN_${flagOf(name).replaceAll('-', '_').toUpperCase()}`

/** What the command line says: options, and the words that are none. */
export interface CommandLine {
  readonly options: Partial<Options>
  readonly words: readonly string[]
  /** Everything after `--`. */
  readonly rest: readonly string[]
  /** Flags of the command's own. */
  readonly own: Readonly<Record<string, string | true>>
}

/**
 * Reads a command line; `own` names the flags that a command has beside the options, true for those that take a value.
 * @throws {InvalidOption} for an unknown flag, or a value that does not fit
 */
export function readCommandLine(argv: readonly string[], own: Readonly<Record<string, boolean>> = {}): CommandLine {
  const options: Record<string, unknown> = {}
  const words: string[] = []
  const given: Record<string, string | true> = {}
  const flags = new Map(optionNames.map((name) => [flagOf(name), name]))
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (word === '--') return { options, words, rest: argv.slice(at + 1), own: given }
    if (!word.startsWith('-') || word === '-') {
      words.push(word)
      continue
    }
    const [flag = '', inline] = split(word)
    const negated = flag.startsWith('no-') ? flags.get(flag.slice(3)) : undefined
    const name = flags.get(flag)
    const takesValue = name === undefined ? own[flag] : table[name].type !== 'boolean'
    if (negated !== undefined && table[negated].type === 'boolean') options[negated] = false
    else if (takesValue === undefined) throw unknownFlag(word, [...flags.keys(), ...Object.keys(own)])
    else {
      const value = takesValue ? (inline ?? argv[++at]) : (inline ?? 'true')
      if (value === undefined || (inline === undefined && takesValue && value.startsWith('--'))) {
        throw new InvalidOption(`--${flag} needs a value${name === undefined ? '' : `: ${allowed(table[name])}`}.`)
      }
      if (name === undefined) given[flag] = takesValue ? value : true
      else if (table[name].type === 'array') options[name] = [...((options[name] as string[]) ?? []), value]
      else options[name] = decode(name, value, `--${flag}`)
    }
  }
  return { options, words, rest: [], own: given }
}

function split(word: string): [string, string | undefined] {
  const equals = word.indexOf('=')
  const flag = word.replace(/^--?/, '')
  return equals < 0 ? [flag, undefined] : [word.slice(0, equals).replace(/^--?/, ''), word.slice(equals + 1)]
}

function unknownFlag(word: string, known: readonly string[]): InvalidOption {
  const meant = didYouMean(word.replace(/^--?/, '').split('=')[0] as string, known).replace(/'(.+)'/, "'--$1'")
  return new InvalidOption(`The flag ${quote(word.split('=')[0])} is unknown.${meant} 'countersign --help' lists all.`)
}

/**
 * Reads the options that the environment gives.
 * @throws {InvalidOption} for a value that does not fit, or an unknown COUNTERSIGN_ variable that looks like an option
 */
export function readEnvironment(environment: NodeJS.ProcessEnv): Partial<Options> {
  const options: Record<string, unknown> = {}
  for (const name of optionNames) {
    const variable = environmentOf(name)
    const value = environment[variable]
    if (value === undefined || value === '') continue
    options[name] =
      table[name].type === 'array' ? value.split(',').map((one) => one.trim()) : decode(name, value, variable)
  }
  return options
}

function decode(name: OptionName, text: string, source: string): unknown {
  const { type } = table[name]
  const value =
    type === 'integer' && /^-?\d+$/.test(text)
      ? Number(text)
      : type === 'boolean' && /^(true|false|1|0)$/.test(text)
        ? text === 'true'
        : text
  if (checkOf(table[name])(value).length > 0) {
    const candidates = (table[name].enum as string[] | undefined) ?? []
    throw new InvalidOption(
      `${source} must be ${allowed(table[name])}, not ${quote(text)}.${didYouMean(text, candidates)}`,
    )
  }
  return value
}

/** What the config file says, its place included. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

/**
 * Reads the config file that is named, or the one in a folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(named: string | undefined, folder: string): Promise<ConfigFile> {
  const file = named ?? CONFIG_FILES.map((name) => join(folder, name)).find((one) => existsSync(one))
  if (file === undefined) return { file, config: {} }
  const source = await readSource(file)
  const config = camelCased(source.data ?? {})
  const complaints = distinctDepartures(checkOf(Config)(config))
  if (complaints.length > 0)
    throw new InvalidFiles(await Promise.all(complaints.map((one) => locateDeparture(source, one))))
  return { file, config: besideFile(config as Config, file) }
}

/** Paths in the config file are meant from where it stands. */
function besideFile(config: Config, file: string): Config {
  const paths = (['fixtures', 'scenarios', 'persist'] as const).filter((key) => config[key] !== undefined)
  return { ...config, ...Object.fromEntries(paths.map((key) => [key, resolve(dirname(file), config[key] as string)])) }
}

/** The keys may be written as the flags are: `body-limit` is `bodyLimit`. */
function camelCased(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}

/** Everything a server is started with. */
export interface Settings extends Options {
  readonly active: readonly string[]
  readonly readings: Readings
  readonly acceptance: Acceptance
  /** The config file that was read. */
  readonly configFile: string | undefined
}

/** Flag beats environment beats file beats default. */
export function resolveSettings(
  flags: Partial<Options>,
  environment: Partial<Options>,
  { file, config }: ConfigFile,
): Settings {
  const { $schema: _, version: __, active = [], interpretations, invitations, scenario, seed, ...options } = config
  const fromFile = {
    ...options,
    ...(scenario !== undefined && { scenario: [scenario].flat() }),
    ...(seed !== undefined && { seed: String(seed) }),
  }
  return {
    ...defaults(),
    ...fromFile,
    ...environment,
    ...flags,
    active,
    readings: { ...defaultReadings, ...(interpretations as Partial<Readings>) },
    acceptance: acceptanceOf(invitations?.accept),
    configFile: file,
  }
}

function defaults(): Options {
  return Object.fromEntries(
    optionNames.filter((name) => table[name].default !== undefined).map((name) => [name, table[name].default]),
  ) as unknown as Options
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

type Accept = NonNullable<Config['invitations']>['accept']

function acceptanceOf(accept: Accept): Acceptance {
  if (accept === undefined || accept === 'manual' || accept === 'immediately') return accept ?? 'manual'
  const after = typeof accept === 'object' ? accept.after : accept
  if (typeof after === 'number') return { after }
  const [, amount = '0', unit = 'ms'] = /(\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(after) ?? []
  return { after: Number(amount) * (UNITS[unit] as number) }
}

/**
 * Milliseconds since 1970 at which the clocks stand, or undefined when they run.
 * @throws {InvalidOption} for what is no time
 */
export function clockStart(clock: string): number | undefined {
  if (clock === 'real') return undefined
  const start = Date.parse(clock)
  if (Number.isNaN(start))
    throw new InvalidOption(
      `--clock must be 'real' or an ISO 8601 time such as 2026-01-15T09:30:00Z, not ${quote(clock)}.`,
    )
  return start
}
