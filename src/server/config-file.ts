import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { isValid } from '../engine/contract/check.js'
import { isObject } from '../engine/contract/json.js'
import { Config } from '../engine/files/config.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { readSource, type SourceFile } from '../engine/files/source-file.js'
import { requireSchema } from '../engine/files/validate-source.js'
import { checkSwitches } from './check-switches.js'
import { withAbsolutePaths } from './options.js'

/** The content of a config file, and its path; undefined if there is none. */
export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

/** The names that a config file may have. */
export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

/**
 * Reads the named config file, or the one in the folder, if there is one.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readConfig(name: string | undefined, folder: string): Promise<ConfigFile> {
  const complaints: FileComplaint[] = []
  const read = await readUsableConfig(name, folder, complaints)
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  return read
}

/** Collects the complaints about a config file, and reads its usable part: the known keys with valid values. */
export async function readUsableConfig(
  name: string | undefined,
  folder: string,
  complaints: FileComplaint[],
): Promise<ConfigFile> {
  const opened = await collectComplaints(complaints, () => openConfig(name, folder))
  if (opened === undefined) return { file: undefined, config: {} }
  const { source, config } = opened
  await collectComplaints(complaints, () => requireSchema(source, Config, config, checkSwitches(config)))
  const schemas = Config.properties as Readonly<Record<string, TSchema>>
  const isUsable = ([key, value]: [string, unknown]) => schemas[key] && isValid(schemas[key], value)
  const usable = complaints.length === 0 ? config : Object.fromEntries(Object.entries(config).filter(isUsable))
  return { file: source.file, config: withAbsolutePaths(usable, dirname(source.file)) }
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
  const spellings = source.spellings.map(({ path: [name, ...path], ...one }) => ({
    ...one,
    path: [nameOf(String(name)), ...path],
  }))
  return { source: { ...source, spellings, complain }, config }
}

const inCamelCase = (key: string) => key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** @throws {InvalidFiles} if there are two, of which only one would be read */
function findConfig(name: string | undefined, folder: string): string | undefined {
  if (name !== undefined) return resolve(folder, name)
  const [file, other] = CONFIG_FILES.map((one) => join(folder, one)).filter((one) => existsSync(one))
  if (file === undefined || other === undefined) return file
  const message = `There is another config file beside it, ${file.slice(folder.length + 1)}, but only one is read. Remove one of them.`
  throw new InvalidFiles([{ file: other, message }])
}
