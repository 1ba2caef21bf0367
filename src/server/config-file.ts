import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Config } from '../../schemas/config.js'
import { collectComplaints, InvalidFiles } from '../text/invalid-files.js'
import { isObject } from '../text/json.js'
import { readSource, type SourceFile } from '../text/source-file.js'
import { isValid } from '../validation/check.js'
import { checkSwitches } from '../validation/check-switches.js'
import { requireSchema } from '../validation/require-schema.js'
import { pathNames } from './options.js'

/** The content of a config file, and its path; undefined if there is none. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

/** The names that a config file may have. */
export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

const NO_CONFIG: ConfigFile = { file: undefined, config: {} }

/**
 * Reads the named config file, or the one in the folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const opened = await openConfig(name, folder)
  if (opened === undefined) return NO_CONFIG
  const { source, config } = opened
  await requireSchema(source, Config, config, checkSwitches(config))
  return withAbsolutePaths(source.file, config as Config)
}

/** The usable part of an invalid config file: the known keys with valid values. */
export async function readUsableConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const opened = await collectComplaints([], () => openConfig(name, folder))
  if (opened === undefined) return NO_CONFIG
  const schemas = Config.properties as Readonly<Record<string, TSchema>>
  const isUsable = ([key, value]: [string, unknown]) => schemas[key] && isValid(schemas[key], value)
  return withAbsolutePaths(opened.source.file, Object.fromEntries(Object.entries(opened.config).filter(isUsable)))
}

/** Reads without checks. Keys may be spelled like flags; a key without a value, as its lines are comments, is left out. */
async function openConfig(name: string | undefined, folder: string) {
  const file = findConfig(name, folder)
  if (file === undefined) return undefined
  const source = await readSource(file)
  const data = source.data ?? {}
  if (!isObject(data)) return { source, config: data }
  const entries = Object.entries(data).filter(([, value]) => value !== null)
  const nameOf = (key: string) => (inCamelCase(key) in data ? key : inCamelCase(key))
  const spelled = new Map<string | number, string>(entries.map(([key]) => [nameOf(key), key]))
  const complain: SourceFile['complain'] = ([name = '', ...path], ...others) =>
    source.complain([spelled.get(name) ?? name, ...path], ...others)
  const config = Object.fromEntries(entries.map(([key, value]) => [nameOf(key), value]))
  return { source: { ...source, complain }, config }
}

const inCamelCase = (key: string) => key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Paths in the config file are relative to it; an option that takes a path may hold content instead. */
function withAbsolutePaths(file: string, config: Config): ConfigFile {
  const values = config as Readonly<Record<string, unknown>>
  const paths = pathNames.filter((name) => typeof values[name] === 'string')
  const absolute = Object.fromEntries(paths.map((name) => [name, resolve(dirname(file), values[name] as string)]))
  return { file, config: { ...config, ...absolute } }
}

/** @throws {InvalidFiles} if there are two, of which only one would be read */
function findConfig(name: string | undefined, folder: string): string | undefined {
  if (name !== undefined) return resolve(folder, name)
  const [file, other] = CONFIG_FILES.map((one) => join(folder, one)).filter((one) => existsSync(one))
  if (file === undefined || other === undefined) return file
  const message = `There is another config file beside it, ${file.slice(folder.length + 1)}, but only one is read. Remove one of them.`
  throw new InvalidFiles([{ file: other, message }])
}
