import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Api } from '../engine/api.js'
import { defaultValues } from '../engine/contract/switches.js'
import { isDataFile } from '../engine/files/source-file.js'
import type { EngineSettings } from '../engine/sandbox/settings.js'
import type { ConfigFile } from './config-file.js'
import { flagOf, isLive, type Options, optionNames, optionTable, withAbsolutePaths } from './options.js'

export interface Settings extends Options, EngineSettings {
  readonly configFile: string | undefined
}

/** Flag beats environment beats file beats default. Interpretations come from the config file alone. */
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
  const all = Object.entries({ ...defaults, ...ofFile, ...environment, ...flags })
  // Their schemas have checked them.
  const options = Object.fromEntries(all.filter(([name]) => isOption(name))) as Options
  const existing = (name: 'scenarios' | 'fixtures') => {
    const beside = defaultFolder(name, file, folder)
    if (options[name] !== undefined || beside === undefined || !existsSync(beside)) return options[name]
    // Other tools may have such a folder, too.
    const isTheirs = name === 'scenarios' || (statSync(beside).isDirectory() && readdirSync(beside).some(isDataFile))
    return isTheirs ? beside : undefined
  }
  // A copy without undefined values: switches are frozen.
  const chosen = JSON.parse(JSON.stringify(interpretations))
  return {
    ...withAbsolutePaths({ ...options, scenarios: existing('scenarios'), fixtures: existing('fixtures') }, folder),
    defaultScenarios: defaultFolder('scenarios', file, folder) as string,
    // IPv6 may have brackets.
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

export function defaultFolder(name: 'scenarios' | 'fixtures', configFile: string | undefined, folder: string) {
  if (configFile !== undefined) return join(dirname(configFile), name)
  return name === 'scenarios' ? join(folder, name) : undefined
}

const isOption = (name: string) => Object.hasOwn(optionTable, name)

/** Not a URL that only contains a password. */
const isSecret = (name: keyof Options) => optionTable[name]['x-option']?.secret === 'whole-value'

const defaults = Object.fromEntries(
  optionNames.map((name) => [name, optionTable[name].default]).filter(([, value]) => value !== undefined),
)

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
