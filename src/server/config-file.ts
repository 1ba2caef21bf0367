import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { Api } from '../engine/api.js'
import { isValid } from '../engine/contract/check.js'
import type { DataComplaint } from '../engine/contract/complaint.js'
import { isObject } from '../engine/contract/json.js'
import { switchesSchema } from '../engine/contract/switches.js'
import { configSchema } from '../engine/files/config.js'
import { collectComplaints, type FileComplaint, InvalidFiles } from '../engine/files/invalid-files.js'
import { readSource } from '../engine/files/source-file.js'
import { validateSource } from '../engine/files/validate-source.js'
import type { EngineSettings } from '../engine/sandbox/settings.js'
import { flagOf, type Options, optionNames, optionTable, withAbsolutePaths } from './options.js'
import { toolConfig } from './tools.js'

interface Config extends Omit<Partial<Options>, 'scenario' | 'seed'> {
  readonly $schema?: string
  readonly version?: 1
  readonly scenario?: string | readonly string[]
  readonly seed?: string | number
  readonly active?: readonly string[]
  readonly sandboxes?: EngineSettings['sandboxes']
  readonly interpretations?: Readonly<Record<string, unknown>>
}

export function configSchemaFor({ switches, config }: Pick<Api, 'switches' | 'config'>): TObject {
  return configSchema(optionTable, switchesSchema(switches), { ...config, ...toolConfig })
}

export function checkInterpretations({ switches }: Pick<Api, 'switches'>, config: unknown): readonly DataComplaint[] {
  if (!isObject(config) || !isObject(config.interpretations)) return []
  const values = Object.entries(config.interpretations)
  const complaints = values.flatMap(([name, value]) => switches[name]?.check?.(value) ?? [])
  return complaints.map((one) => ({ ...one, path: ['interpretations', ...one.path] }))
}

export interface ConfigFile {
  readonly file: string | undefined
  readonly config: Config
}

export const CONFIG_FILES = ['yaml', 'yml', 'json'].map((ending) => `countersign.config.${ending}`)

/** Adds to `complaints`, and returns the valid keys. @throws {InvalidFiles} for an invalid file, without `complaints` */
export async function readConfig(api: Api, name: string | undefined, folder: string, complaints?: FileComplaint[]) {
  const fileComplaints: FileComplaint[] = []
  const loaded = await collectComplaints(fileComplaints, () => loadConfig(name, folder))
  const schema = configSchemaFor(api)
  if (loaded !== undefined)
    await collectComplaints(fileComplaints, () =>
      validateSource(loaded.source, schema, loaded.config, checkInterpretations(api, loaded.config)),
    )
  const safeComplaints = fileComplaints.map(withoutSecrets)
  if (complaints === undefined && safeComplaints.length > 0) throw new InvalidFiles(safeComplaints)
  complaints?.push(...safeComplaints)
  if (loaded === undefined) return { file: undefined, config: {} }
  const { source, config } = loaded
  const schemas: Readonly<Record<string, TSchema>> = schema.properties
  const isValidKey = ([key, value]: [string, unknown]) => Object.hasOwn(schemas, key) && isValid(schemas[key]!, value)
  const valid = safeComplaints.length === 0 ? config : Object.fromEntries(Object.entries(config).filter(isValidKey))
  return { file: source.file, config: withAbsolutePaths(valid, dirname(source.file)) }
}

const secretNames = optionNames.filter((name) => optionTable[name]['x-option']?.secret !== undefined)
const SECRETS = new RegExp(secretNames.map((name) => flagOf(name).replaceAll('-', '[-_]?')).join('|'), 'i')

function withoutSecrets({ frame, ...complaint }: FileComplaint): FileComplaint {
  return frame === undefined || SECRETS.test(`${complaint.path} ${frame}`) ? complaint : { ...complaint, frame }
}

/** Ignores keys without a value. */
async function loadConfig(name: string | undefined, folder: string) {
  const file = findConfig(name, folder)
  if (file === undefined) return undefined
  const source = await readSource(file)
  const data = source.data ?? {}
  if (!isObject(data)) return { source, config: data }
  return { source, config: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) }
}

/** @throws {InvalidFiles} if the folder has two config files */
function findConfig(name: string | undefined, folder: string): string | undefined {
  if (name !== undefined) return resolve(folder, name)
  const names = CONFIG_FILES.flatMap((known) => filesIn(folder).filter((one) => one.toLowerCase() === known))
  const [file, other] = names.map((one) => join(folder, one))
  if (file === undefined || other === undefined) return file
  const message = `The folder also has the config file '${file.slice(folder.length + 1)}', but only one is read. Remove one of the two.`
  throw new InvalidFiles([{ file: other, message }])
}

/** Names that a user may expect to work. */
const SIMILAR_NAME = /^\.?countersign(?:[.-]?config|rc)?\.(?:ya?ml|json[c5]?|[cm]?[jt]s|toml)$/i

export function describeIgnoredConfigs(folder: string): string {
  const ignored = filesIn(folder).filter((one) => SIMILAR_NAME.test(one) && !CONFIG_FILES.includes(one.toLowerCase()))
  return ignored.length === 0 ? '' : ` (${ignored.join(', ')}: ignored; the name must be ${CONFIG_FILES.join(', or ')})`
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
