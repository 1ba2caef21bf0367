import type { SwitchValues } from '../contract/switches.js'
import type { Fixtures } from '../files/collections.js'
import type { EngineOptions } from '../files/config.js'
import type { FileComplaint } from '../files/invalid-files.js'
import type { ScenarioLibrary } from './scenarios/library.js'

export interface EngineSettings extends EngineOptions {
  readonly active: readonly string[]
  /** Replaces `active` in the sandboxes with these names. */
  readonly sandboxes: Readonly<Record<string, { readonly active: readonly string[] }>>
  /** The working directory. */
  readonly folder: string
  /** The folder of scenarios without --scenarios, if it exists. */
  readonly defaultScenarios: string
  readonly switches: SwitchValues
  readonly extraConfig: Readonly<Record<string, unknown>>
  readonly secrets: readonly string[]
}

export function activeScenarios(settings: EngineSettings, sandbox: string | null): readonly string[] {
  const isListed = sandbox !== null && Object.hasOwn(settings.sandboxes, sandbox)
  const { active = [] } = (isListed ? settings.sandboxes[sandbox] : settings) ?? {}
  return [...new Set([...active, ...settings.scenario])]
}

export interface SeedData {
  readonly fixtures: Fixtures
  readonly files: readonly string[]
}

/** Shared by all sandboxes; an edit of a file replaces the whole object. */
export interface ServerData<Settings extends EngineSettings = EngineSettings> {
  readonly settings: Settings
  readonly seeded: SeedData
  readonly library: ScenarioLibrary
  /** Complaints about files of which the last good version is used. */
  readonly complaints: readonly FileComplaint[]
  /** Changed options that need a restart, such as `--port`. */
  readonly needsRestart?: readonly string[]
}
