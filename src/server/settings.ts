import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultSwitches, type Switches } from '../api/switches.js'
import { type Config, isLive, type Options } from '../engine/files/config.js'
import { isDataFile } from '../engine/files/source-file.js'
import type { MockSettings } from '../engine/sandbox/settings.js'
import type { ConfigFile } from './config-file.js'
import { flagOf, optionNames, optionTable, withAbsolutePaths } from './options.js'

/** All settings of a server and its tools. */
export interface Settings extends Options, MockSettings {
  /** The mutants that are not tried. */
  readonly excepted: readonly { readonly mutant: string; readonly why: string }[]
  /** The config file that was read; undefined where there is none. */
  readonly configFile: string | undefined
}

/**
 * The sum of flags, environment and config file: flag beats environment beats file beats default. Relative paths
 * of flags and environment start at `folder`. The interpretations are those of the config file alone.
 */
export function resolveSettings(
  flags: Partial<Options>,
  environment: Partial<Options>,
  { file, config }: ConfigFile,
  folder = process.cwd(),
): Settings {
  const { $schema: _, version: __, active = [], interpretations = {}, invitations, mutate, ...fromFile } = config
  if (fromFile.scenario !== undefined) fromFile.scenario = [fromFile.scenario].flat()
  if (fromFile.seed !== undefined) fromFile.seed = String(fromFile.seed)
  const options = { ...defaults, ...fromFile, ...environment, ...flags } as Options
  const existing = (name: 'scenarios' | 'fixtures') => {
    const beside = defaultFolder(name, file, folder)
    if (options[name] !== undefined || beside === undefined || !existsSync(beside)) return options[name]
    // A folder of this name may be there for something else.
    const isTheirs = name === 'scenarios' || (statSync(beside).isDirectory() && readdirSync(beside).some(isDataFile))
    return isTheirs ? beside : undefined
  }
  // A copy, because switches are frozen; drops undefined values.
  const chosen = JSON.parse(JSON.stringify(interpretations)) as Partial<Switches>
  return {
    ...withAbsolutePaths({ ...options, scenarios: existing('scenarios'), fixtures: existing('fixtures') }, folder),
    defaultScenarios: defaultFolder('scenarios', file, folder) as string,
    // An IPv6 address, as URLs have it.
    host: options.host.replace(/^\[(.+)\]$/, '$1'),
    active,
    switches: { ...defaultSwitches, ...chosen },
    secrets: [options.adminToken, options.providerToken].filter((token) => token !== undefined),
    excepted: mutate?.except ?? [],
    acceptAfter: acceptAfter(invitations?.accept),
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

const defaults = Object.fromEntries(
  optionNames.map((name) => [name, optionTable[name].default]).filter(([, value]) => value !== undefined),
)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

type Accept = NonNullable<Config['invitations']>['accept']

function acceptAfter(accept: Accept): number | undefined {
  if (accept === undefined || accept === 'manual') return undefined
  if (accept === 'immediately') return 0
  const after = typeof accept === 'object' ? accept.after : accept
  if (typeof after === 'number') return after
  const [, amount, unit] = /(\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(after) as RegExpExecArray
  return Number(amount) * (UNITS[unit as string] as number)
}

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
