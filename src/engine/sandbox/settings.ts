import type { SwitchValues } from '../contract/switches.js'
import type { Fixtures } from '../files/collections.js'
import type { EngineOptions } from '../files/config.js'
import type { FileComplaint } from '../files/invalid-files.js'
import type { ScenarioLibrary } from './scenarios/library.js'

type EngineOption =
  | 'host'
  | 'adminToken'
  | 'publicUrl'
  | 'auth'
  | 'strict'
  | 'requireSandbox'
  | 'bodyLimit'
  | 'journalSize'
  | 'seed'
  | 'clock'
  | 'scenario'
  | 'scenarios'

/** What the engine reads of a server's settings. */
export interface EngineSettings extends Pick<EngineOptions, EngineOption> {
  readonly active: readonly string[]
  /** By the name of a sandbox, what is on there in place of `active`. */
  readonly sandboxes: Readonly<Record<string, { readonly active: readonly string[] }>>
  /** The working directory, where files are named from. */
  readonly folder: string
  /** Where the user's scenarios are without an option, once there are some. */
  readonly defaultScenarios: string
  /** The values of the API's switches. */
  readonly switches: SwitchValues
  /** The keys of the config file that the API or a tool has declared. */
  readonly declared: Readonly<Record<string, unknown>>
  /** Tokens of the server's own, which journals and logs never show. */
  readonly secrets: readonly string[]
}

/** What is on at the start in a sandbox; null is the root. */
export function activeScenarios(settings: EngineSettings, sandbox: string | null): readonly string[] {
  const own = sandbox !== null && Object.hasOwn(settings.sandboxes, sandbox) ? settings.sandboxes[sandbox] : settings
  return [...new Set([...(own?.active ?? []), ...settings.scenario])]
}

/** The fixtures that sandboxes begin with, shared by all of them. */
export interface Seeded {
  readonly fixtures: Fixtures
  readonly files: readonly string[]
}

/** The data that all sandboxes of a server share. An edit replaces it as a whole, or not at all. */
export interface ServerData<Settings extends EngineSettings = EngineSettings> {
  readonly settings: Settings
  readonly seeded: Seeded
  readonly library: ScenarioLibrary
  /** About files that cannot be used now, whose last good version serves. */
  readonly complaints: readonly FileComplaint[]
  /** Options with a new value that needs a restart, as flags. */
  readonly needsRestart?: readonly string[]
}
