import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Config } from '../../schemas/config.js'
import { UnusableFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { type WrittenPaths, writtenPaths } from '../text/written-paths.js'
import { checkOf } from '../validation/check.js'
import { type Mistake, requireSchema } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'
import { pathNames } from './options.js'

/** The content of a config file, and its path; undefined if there is none. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
  /** How the file and the paths in it are written, seen from the working directory. */
  readonly written?: WrittenPaths
}

/** The names that a config file may have, the first one winning. */
export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

/**
 * Reads the named config file, or the one in the folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const found = name ?? findConfig(folder)
  if (found === undefined) return { file: undefined, config: {} }
  const source = await readSource(resolve(folder, found))
  const { config, spelling, twice } = keysOf(source.data)
  await requireSchema(source, Config, config, [...twice, ...mistakesInInterpretations(config)], spelling)
  return withPathsBeside(found, folder, config as Config)
}

/** The usable part of an invalid config file: the known keys with valid values. */
export async function readUsableConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  try {
    const found = name ?? findConfig(folder)
    if (found === undefined) return { file: undefined, config: {} }
    const { config: keys } = keysOf((await readSource(resolve(folder, found))).data)
    const schemas = Config.properties as Readonly<Record<string, TSchema>>
    const usable = Object.entries(keys as object).filter(
      ([key, value]) => schemas[key] && checkOf(schemas[key])(value).length === 0,
    )
    return withPathsBeside(found, folder, Object.fromEntries(usable) as Config)
  } catch (error) {
    if (error instanceof UnusableFiles) return { file: undefined, config: {} }
    throw error
  }
}

/** @throws {InvalidFiles} if there are two, of which only one would be read */
function findConfig(folder: string): string | undefined {
  const [file, other] = CONFIG_FILES.filter((one) => existsSync(join(folder, one)))
  if (file === undefined || other === undefined) return file
  const message = `There is another config file beside it, ${file}, but only one is read. Remove one of them.`
  throw new UnusableFiles([{ code: 'duplicate', file: join(folder, other), message }])
}

/** Paths in the config file are relative to it; `name` is how it is written. */
function withPathsBeside(name: string, folder: string, config: Config): ConfigFile {
  const file = resolve(folder, name)
  const values = config as Readonly<Record<string, unknown>>
  // What may be a path may hold its content instead.
  const paths = pathNames.filter((one) => typeof values[one] === 'string').map((one) => [one, String(values[one])])
  const absolute = Object.fromEntries(paths.map(([one, path = '']) => [one, resolve(dirname(file), path)]))
  const written = writtenPaths(folder, [name, ...paths.map(([, path = '']) => beside(name, path))])
  return { file, config: { ...config, ...absolute }, written }
}

/** A path in a file, seen from where the file is seen from. */
function beside(name: string, path: string): string {
  return isAbsolute(path) || name === basename(name) ? path : join(dirname(name), path)
}

/** What a config file says, by the names of the options. */
interface Keys {
  readonly config: unknown
  /** How the file spells each key. */
  readonly spelling: ReadonlyMap<string, string>
  /** Keys that are another spelling of one before. */
  readonly twice: readonly Mistake[]
}

/** Keys may be spelled like flags: `body-limit` is `bodyLimit`. A key without a value is ignored. */
function keysOf(data: unknown): Keys {
  const spelling = new Map<string, string>()
  const twice: Mistake[] = []
  if (data === null || data === undefined) return { config: {}, spelling, twice }
  if (typeof data !== 'object' || Array.isArray(data)) return { config: data, spelling, twice }
  const entries = Object.entries(data).filter(([, value]) => value !== null)
  const named = entries.map(([key, value]) => {
    const name = key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const other = spelling.get(name)
    if (other !== undefined) {
      const message = `${quote(key)} and ${quote(other)} are two spellings of the same option. Remove one of them.`
      twice.push({ path: [key], message, about: 'key' })
    }
    spelling.set(name, key)
    return [name, value]
  })
  return { config: Object.fromEntries(named), spelling, twice }
}
