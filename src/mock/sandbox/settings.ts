import type { Options } from '../../../schemas/config.js'
import type { Switches } from '../../../schemas/switches.js'
import type { Library } from './scenarios/library.js'
import type { Seeded } from './state/state.js'

export interface Settings extends Options {
  readonly active: readonly string[]
  readonly switches: Switches
  /** Milliseconds after which an invitation is accepted by itself; undefined if it waits for somebody. */
  readonly acceptAfter: number | undefined
  readonly excepted: readonly { readonly mutant: string; readonly why: string }[]
  /** The config file that was read; undefined where there is none. */
  readonly configFile: string | undefined
  /** The working directory: a config file may be made there later. */
  readonly folder: string
  readonly mutant?: string
}

export function activeScenarios({ active, scenario }: Settings): readonly string[] {
  return [...new Set([...active, ...scenario])]
}

/** The data that all sandboxes of a server share. An edit replaces it as a whole, or not at all. */
export interface Shared {
  readonly settings: Settings
  readonly seeded: Seeded
  readonly library: Library
}
