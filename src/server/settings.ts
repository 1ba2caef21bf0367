import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Api } from '../engine/api.js'
import { defaultValues } from '../engine/contract/switches.js'
import { isDataFile } from '../engine/files/source-file.js'
import type { EngineSettings } from '../engine/sandbox/settings.js'
import type { ConfigFile } from './config-file.js'
import { flagOf, isLive, type Options, optionNames, optionTable, withAbsolutePaths } from './options.js'

/** All settings of a server and its tools. */
export interface Settings extends Options, EngineSettings {
  /** The config file that was read; undefined where there is none. */
  readonly configFile: string | undefined
}

/**
 * The sum of flags, environment and config file: flag beats environment beats file beats default. Relative paths
 * of flags and environment start at `folder`. The interpretations are those of the config file alone.
 */
export function resolveSettings(
  api: Pick<Api, 'switches'>,
  flags: Partial<Options>,
  environment: Partial<Options>,
  { file, config }: ConfigFile,
  folder = process.cwd(),
): Settings {
  const {
    $schema: _,
    version: __,
    active = [],
    sandboxes = {},
    interpretations = {},
    scenario,
    seed,
    ...fromFile
  } = config
  const ofFile = {
    ...fromFile,
    ...(scenario !== undefined && { scenario: [scenario].flat() }),
    ...(seed !== undefined && { seed: String(seed) }),
  }
  const options = optionsIn({ ...defaults, ...ofFile, ...environment, ...flags })
  const existing = (name: 'scenarios' | 'fixtures') => {
    const beside = defaultFolder(name, file, folder)
    if (options[name] !== undefined || beside === undefined || !existsSync(beside)) return options[name]
    // A folder of this name may be there for something else.
    const isTheirs = name === 'scenarios' || (statSync(beside).isDirectory() && readdirSync(beside).some(isDataFile))
    return isTheirs ? beside : undefined
  }
  // A copy, because switches are frozen; drops undefined values.
  const chosen = JSON.parse(JSON.stringify(interpretations))
  return {
    ...withAbsolutePaths({ ...options, scenarios: existing('scenarios'), fixtures: existing('fixtures') }, folder),
    defaultScenarios: defaultFolder('scenarios', file, folder) as string,
    // An IPv6 address, as URLs have it.
    host: options.host.replace(/^\[(.+)\]$/, '$1'),
    active,
    sandboxes,
    switches: { ...defaultValues(api.switches), ...chosen },
    declared: Object.fromEntries(Object.entries(fromFile).filter(([name]) => !isOption(name))),
    secrets: optionNames.flatMap((name) => (isSecret(name) ? (options[name]?.toString() ?? []) : [])),
    configFile: file,
    folder,
  }
}

/** The folder that is read without an option: beside the config file; scenarios need none. */
export function defaultFolder(
  name: 'scenarios' | 'fixtures',
  configFile: string | undefined,
  folder: string,
): string | undefined {
  if (configFile !== undefined) return join(dirname(configFile), name)
  return name === 'scenarios' ? join(folder, name) : undefined
}

const isOption = (name: string) => Object.hasOwn(optionTable, name)

/** Secret as a whole, unlike a URL that may have a password in it. */
const isSecret = (name: keyof Options) => optionTable[name]['x-option']?.secret === 'wholly'

/** The options among the values, which their schemas have checked. */
function optionsIn(values: object): Options {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isOption(name))) as Options
}

const defaults = Object.fromEntries(
  optionNames.map((name) => [name, optionTable[name].default]).filter(([, value]) => value !== undefined),
)

/** Settings after an edit: what needs a restart stays as it was, and `pending` names it. */
export function editSettings(before: Settings, edited: Settings): { settings: Settings; pending: readonly string[] } {
  const kept = optionNames.filter((name) => !isLive(name))
  const isEdited = (name: keyof Settings) => JSON.stringify(before[name]) !== JSON.stringify(edited[name])
  const unchanged = Object.fromEntries(kept.map((name) => [name, before[name]]))
  const pending = [
    ...kept.filter(isEdited).map((name) => `--${flagOf(name)}`),
    ...(isEdited('switches') ? ['interpretations'] : []),
  ]
  return { settings: { ...edited, ...unchanged, switches: before.switches }, pending }
}
