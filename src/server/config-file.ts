import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Config } from '../../schemas/config.js'
import { readSource } from '../text/source-file.js'
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
  const file =
    name === undefined
      ? CONFIG_FILES.map((one) => join(folder, one)).find((one) => existsSync(one))
      : resolve(folder, name)
  if (file === undefined) return { file, config: {} }
  const source = await readSource(file)
  const config = camelCased(source.data ?? {})
  await requireSchema(source, Config, config, mistakesInInterpretations(config))
  return { file, config: withPathsBeside(file, config as Config) }
}

/** Paths in the config file are relative to it. */
function withPathsBeside(file: string, config: Config): Config {
  const values = config as Readonly<Record<string, unknown>>
  // What may be a path may hold its content instead.
  const paths = pathNames.filter((name) => typeof values[name] === 'string')
  return { ...config, ...Object.fromEntries(paths.map((name) => [name, resolve(dirname(file), String(values[name]))])) }
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
