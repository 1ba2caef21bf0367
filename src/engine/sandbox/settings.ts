import type { Switches } from '../../api/switches.js'
import type { Options } from '../files/config.js'
import type { FileComplaint } from '../files/invalid-files.js'
import type { Library } from './scenarios/library.js'
import type { Seeded } from './state/state.js'

type OptionOfMock =
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

/** What the mock reads of a server's settings. */
export interface MockSettings extends Pick<Options, OptionOfMock> {
  readonly active: readonly string[]
  /** The working directory, where files are named from. */
  readonly folder: string
  /** Where the user's scenarios are without an option, once there are some. */
  readonly defaultScenarios: string
  readonly switches: Switches
  /** Milliseconds after which an invitation is accepted by itself; undefined if it waits for somebody. */
  readonly acceptAfter: number | undefined
  /** Tokens of the server's own, which journals and logs never show. */
  readonly secrets: readonly string[]
}

export function activeScenarios({ active, scenario }: Pick<MockSettings, 'active' | 'scenario'>): readonly string[] {
  return [...new Set([...active, ...scenario])]
}

/** The data that all sandboxes of a server share. An edit replaces it as a whole, or not at all. */
export interface Shared {
  readonly settings: MockSettings
  readonly seeded: Seeded
  readonly library: Library
  /** About files that cannot be used now, whose last good version serves. */
  readonly complaints: readonly FileComplaint[]
}
