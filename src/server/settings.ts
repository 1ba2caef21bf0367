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

/** Flags override the environment, which overrides the config file. Interpretations come from that file alone. */
export function resolveSettings(
  api: Pick<Api, 'switches'>,
  flags: Partial<Options>,
  environment: Partial<Options>,
  { file, config }: ConfigFile,
  folder = process.cwd(),
): Settings {
  const { $schema: _, version: __, active = [], sandboxes = {}, interpretations = {}, scenario, seed, ...rest } = config
  const fileValues = {
    ...rest,
    ...(scenario !== undefined && { scenario: [scenario].flat() }),
    ...(seed !== undefined && { seed: String(seed) }),
  }
  const values = Object.entries({ ...defaults, ...fileValues, ...environment, ...flags })
  // Schemas have validated each value.
  const options = Object.fromEntries(values.filter(([name]) => isOption(name))) as Options
  const pathOf = (name: 'scenarios' | 'fixtures') => {
    const defaultPath = defaultFolder(name, file, folder)
    if (options[name] !== undefined || defaultPath === undefined || !existsSync(defaultPath)) return options[name]
    // A folder named fixtures may belong to another tool.
    const holdsFixtures = () => statSync(defaultPath).isDirectory() && readdirSync(defaultPath).some(isDataFile)
    return name === 'scenarios' || holdsFixtures() ? defaultPath : undefined
  }
  // A copy, which is frozen later, without undefined values, which would hide defaults.
  const configuredSwitches = JSON.parse(JSON.stringify(interpretations))
  return {
    ...withAbsolutePaths({ ...options, scenarios: pathOf('scenarios'), fixtures: pathOf('fixtures') }, folder),
    defaultScenarios: defaultFolder('scenarios', file, folder) as string,
    // IPv6 addresses may have brackets.
    host: options.host.replace(/^\[(.+)\]$/, '$1'),
    active,
    sandboxes,
    switches: { ...defaultValues(api.switches), ...configuredSwitches },
    extraConfig: Object.fromEntries(Object.entries(rest).filter(([name]) => !isOption(name))),
    secrets: secretNames.flatMap((name) => options[name]?.toString() ?? []),
    configFile: file,
    folder,
  }
}

export function defaultFolder(name: 'scenarios' | 'fixtures', configFile: string | undefined, folder: string) {
  if (configFile !== undefined) return join(dirname(configFile), name)
  return name === 'scenarios' ? join(folder, name) : undefined
}

const isOption = (name: string) => Object.hasOwn(optionTable, name)
const secretNames = optionNames.filter((name) => optionTable[name]['x-option']?.secret === 'whole-value')

const defaults = Object.fromEntries(
  optionNames.map((name) => [name, optionTable[name].default]).filter(([, value]) => value !== undefined),
)

/** Applies edits of live options; `needsRestart` lists the others. */
export function applyEdit(before: Settings, edited: Settings): { settings: Settings; needsRestart: readonly string[] } {
  const fixedNames = optionNames.filter((name) => !isLive(name))
  const isEdited = (name: keyof Settings) => JSON.stringify(before[name]) !== JSON.stringify(edited[name])
  const fixedOptions = Object.fromEntries(fixedNames.map((name) => [name, before[name]]))
  const needsRestart = [
    ...fixedNames.filter(isEdited).map((name) => `--${flagOf(name)}`),
    ...(isEdited('switches') ? ['interpretations'] : []),
  ]
  return { settings: { ...edited, ...fixedOptions, switches: before.switches }, needsRestart }
}
