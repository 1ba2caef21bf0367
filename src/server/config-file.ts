import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Config } from '../../schemas/config.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { checkOf } from '../validation/check.js'
import { requireSchema } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'
import { pathNames } from './options.js'

/** What a config file says, and which file that is; undefined where there is none. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

/** The names that a config file may have, the first one winning. */
export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

/**
 * Reads the config file of a name, else the one in a folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const file = findConfig(name, folder)
  if (file === undefined) return { file, config: {} }
  const source = await readSource(file)
  const config = keysOf(source.data)
  await requireSchema(source, Config, config, mistakesInInterpretations(config))
  return { file, config: withPathsBeside(file, config as Config) }
}

/** What can be used of a config file though some of it cannot: the keys that are known and whose values fit. */
export async function readUsableConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  try {
    const file = findConfig(name, folder)
    const keys = file === undefined ? {} : keysOf((await readSource(file)).data)
    const schemas = Config.properties as Readonly<Record<string, TSchema>>
    const usable = Object.entries(keys as object).filter(
      ([key, value]) => schemas[key] && checkOf(schemas[key])(value).length === 0,
    )
    const config = Object.fromEntries(usable) as Config
    return { file, config: file === undefined ? config : withPathsBeside(file, config) }
  } catch (error) {
    if (error instanceof InvalidFiles) return { file: undefined, config: {} }
    throw error
  }
}

/** @throws {InvalidFiles} where there are two, of which only one would be read */
function findConfig(name: string | undefined, folder: string): string | undefined {
  if (name !== undefined) return resolve(folder, name)
  const [file, other] = CONFIG_FILES.map((one) => join(folder, one)).filter((one) => existsSync(one))
  if (file === undefined || other === undefined) return file
  const message = `There is another config file beside it, ${basename(file)}, and only one is read: remove one of them.`
  throw new InvalidFiles([{ file: other, message }])
}

/** Paths in the config file are relative to it. */
function withPathsBeside(file: string, config: Config): Config {
  const values = config as Readonly<Record<string, unknown>>
  // What may be a path may hold its content instead.
  const paths = pathNames.filter((name) => typeof values[name] === 'string')
  return { ...config, ...Object.fromEntries(paths.map((name) => [name, resolve(dirname(file), String(values[name]))])) }
}

/** The keys may be written as the flags are: `body-limit` is `bodyLimit`. One without a value is as if it were not there. */
function keysOf(data: unknown): unknown {
  if (data === null || data === undefined) return {}
  if (typeof data !== 'object' || Array.isArray(data)) return data
  const entries = Object.entries(data).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  )
}
