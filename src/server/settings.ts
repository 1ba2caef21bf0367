import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config, OptionName, Options } from '../../schemas/config.js'
import { isLive } from '../../schemas/config.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { type WrittenPaths, writtenPaths } from '../text/written-paths.js'
import type { Acceptance, Settings } from '../world/settings.js'
import type { ConfigFile } from './config-file.js'
import { environmentOf, flagOf, optionNames, optionTable, pathNames } from './options.js'

/**
 * What flags, environment and config file add up to: flag beats environment beats file beats default. Relative paths
 * of flags and environment start at `folder`. The readings are those of the config file alone.
 */
export function resolveSettings(
  flags: Partial<Options>,
  environment: Partial<Options>,
  { file, config, written = {} }: ConfigFile,
  folder = process.cwd(),
): Settings {
  const {
    $schema: _,
    version: __,
    active = [],
    interpretations = {},
    invitations,
    mutate,
    scenario,
    seed,
    ...others
  } = config
  const fromFile = {
    ...others,
    ...(scenario !== undefined && { scenario: [scenario].flat() }),
    ...(seed !== undefined && { seed: String(seed) }),
  }
  const chosen = withoutUndefined(interpretations)
  const options: Options = { ...defaults(), ...fromFile, ...environment, ...flags }
  return {
    ...options,
    ...absolutePaths(options, folder),
    // An IPv6 address, as URLs have it.
    host: options.host.replace(/^\[(.+)\]$/, '$1'),
    sources: { ...sourcesOf(environment, environmentOf), ...sourcesOf(flags, (name) => `--${flagOf(name)}`) },
    written: { ...writtenIn(options, folder), ...written },
    active,
    readings: Object.keys(chosen).length === 0 ? defaultReadings : { ...defaultReadings, ...chosen },
    excepted: mutate?.except ?? [],
    acceptance: acceptanceOf(invitations?.accept),
    configFile: file,
    folder,
  }
}

/** A copy, since readings are frozen, and what a program gives is its own; what it leaves undefined is not given. */
function withoutUndefined(readings: Partial<Readings>): Partial<Readings> {
  return JSON.parse(JSON.stringify(readings))
}

/** What set each option that is given. */
function sourcesOf(given: Partial<Options>, write: (name: string) => string): Settings['sources'] {
  return Object.fromEntries(Object.keys(given).map((name) => [name, write(name)]))
}

function defaults(): Options {
  return Object.fromEntries(
    optionNames
      .filter((name) => optionTable[name].default !== undefined)
      .map((name) => [name, optionTable[name].default]),
  ) as Options
}

function absolutePaths(options: Options, folder: string): Partial<Options> {
  return Object.fromEntries(pathsIn(options, folder).map(([name, path]) => [name, resolve(folder, path)]))
}

/** How the user wrote paths; those of the config file are already absolute, and it reports its own. */
function writtenIn(options: Options, folder: string): WrittenPaths {
  return writtenPaths(
    folder,
    pathsIn(options, folder).map(([, path]) => path),
  )
}

/** The options that are paths, with the folder that holds a user's scenarios where none is named. */
function pathsIn(options: Options, folder: string): [name: OptionName, path: string][] {
  const scenarios = existsSync(join(folder, 'scenarios')) ? 'scenarios' : undefined
  const all: Partial<Options> = { ...options, scenarios: options.scenarios ?? scenarios }
  return pathNames.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name] as string]]))
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

type Accept = NonNullable<Config['invitations']>['accept']

function acceptanceOf(accept: Accept): Acceptance {
  if (accept === undefined || accept === 'manual' || accept === 'immediately') return accept ?? 'manual'
  const after = typeof accept === 'object' ? accept.after : accept
  if (typeof after === 'number') return { after }
  const [, amount = '0', unit = 'ms'] = /(\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(after) ?? []
  return { after: Number(amount) * (UNITS[unit] as number) }
}

/** Settings after an edit: what needs a restart stays as it was, and `pending` names it. */
export function editSettings(before: Settings, edited: Settings): { settings: Settings; pending: readonly string[] } {
  const kept = optionNames.filter((name) => !isLive(name))
  const isEdited = (name: keyof Settings) => JSON.stringify(before[name]) !== JSON.stringify(edited[name])
  const unchanged = Object.fromEntries(kept.map((name) => [name, before[name]]))
  const pending = [
    ...kept.filter(isEdited).map((name) => `--${flagOf(name)}`),
    ...(isEdited('readings') ? ['interpretations'] : []),
  ]
  return { settings: { ...edited, ...unchanged, readings: before.readings }, pending }
}
