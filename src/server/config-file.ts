import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Config } from '../../schemas/config.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { checkOf } from '../validation/check.js'
import { checkSwitches } from '../validation/check-switches.js'
import { type DataComplaint, requireSchema } from '../validation/require-schema.js'
import { pathNames } from './options.js'

/** The content of a config file, and its path; undefined if there is none. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

/** The names that a config file may have. */
export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

const NONE: ConfigFile = { file: undefined, config: {} }

/**
 * Reads the named config file, or the one in the folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const file = findConfig(name, folder)
  if (file === undefined) return NONE
  const source = await readSource(file)
  const { config, spelling, twice } = keysOf(source.data)
  await requireSchema(source, Config, config, [...twice, ...checkSwitches(config)], spelling)
  return withAbsolutePaths(file, config as Config)
}

/** The usable part of an invalid config file: the known keys with valid values. */
export async function readUsableConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  try {
    const file = findConfig(name, folder)
    if (file === undefined) return NONE
    const { config } = keysOf((await readSource(file)).data)
    const schemas = Config.properties as Readonly<Record<string, TSchema>>
    const usable = Object.entries(config as object).filter(
      ([key, value]) => schemas[key] && checkOf(schemas[key])(value).length === 0,
    )
    return withAbsolutePaths(file, Object.fromEntries(usable) as Config)
  } catch (error) {
    if (error instanceof InvalidFiles) return NONE
    throw error
  }
}

/** @throws {InvalidFiles} if there are two, of which only one would be read */
function findConfig(name: string | undefined, folder: string): string | undefined {
  if (name !== undefined) return resolve(folder, name)
  const [file, other] = CONFIG_FILES.map((one) => join(folder, one)).filter((one) => existsSync(one))
  if (file === undefined || other === undefined) return file
  const message = `There is another config file beside it, ${file.slice(folder.length + 1)}, but only one is read. Remove one of them.`
  throw new InvalidFiles([{ code: 'duplicate', file: other, message }])
}

/** Paths in the config file are relative to it. */
function withAbsolutePaths(file: string, config: Config): ConfigFile {
  const values = config as Readonly<Record<string, unknown>>
  // What may be a path may hold its content instead.
  const paths = pathNames.filter((one) => typeof values[one] === 'string')
  const absolute = Object.fromEntries(paths.map((one) => [one, resolve(dirname(file), values[one] as string)]))
  return { file, config: { ...config, ...absolute } }
}

/** What a config file says, by the names of the options. */
interface Keys {
  readonly config: unknown
  /** How the file spells each key. */
  readonly spelling: ReadonlyMap<string, string>
  /** Keys that are another spelling of one before. */
  readonly twice: readonly DataComplaint[]
}

/** Keys may be spelled like flags: `body-limit` is `bodyLimit`. A key without a value is ignored. */
function keysOf(data: unknown): Keys {
  const spelling = new Map<string, string>()
  const twice: DataComplaint[] = []
  if (typeof data !== 'object' || Array.isArray(data)) return { config: data ?? {}, spelling, twice }
  const config: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data ?? {})) {
    if (value === null) continue
    const name = key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const other = spelling.get(name)
    if (other !== undefined) {
      const message = `${quote(key)} and ${quote(other)} are two spellings of the same option. Remove one of them.`
      twice.push({ path: [key], message, about: 'key' })
    }
    spelling.set(name, key)
    config[name] = value
  }
  return { config, spelling, twice }
}
