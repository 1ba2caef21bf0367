import type { Readings } from '../../schemas/interpretations.js'
import { Clock } from './clock.js'
import { Journal } from './journal/journal.js'
import { Outbox } from './mail/outbox.js'
import type { Library } from './scenarios/library.js'
import { Playback } from './scenarios/playback.js'
import { seededUuid } from './seeded.js'
import type { SeededCollections } from './state/seeded-collections.js'
import { State } from './state/state.js'
import { Store } from './state/store.js'

/** When an invitation is accepted: by hand, as it is sent, or so many milliseconds later. */
export type Acceptance = 'manual' | 'immediately' | { readonly after: number }

/** What all worlds of a server share. */
export interface WorldSettings {
  readonly seeded: SeededCollections
  readonly library: Library
  /** Scenarios that are on in a new world. */
  readonly active: readonly string[]
  readonly seed: string
  /** Milliseconds since 1970 at which the clocks stand; undefined lets them run. */
  readonly clock: number | undefined
  readonly readings: Readings
  readonly acceptance: Acceptance
  /** Exchanges kept in a journal. */
  readonly journalSize: number
}

/** One self-contained service: state, journal, outbox, scenarios and clock. The root is one; each sandbox is one. */
export class World {
  /** The sandbox's name; null for the root. */
  readonly name: string | null
  readonly state: State
  readonly journal: Journal
  readonly outbox = new Outbox()
  readonly playback: Playback
  readonly clock: Clock
  #settings: WorldSettings

  constructor(name: string | null, settings: WorldSettings, store = Store.inMemory()) {
    this.name = name
    this.#settings = settings
    this.state = new State(settings.seeded, store)
    this.journal = new Journal(settings.journalSize)
    this.playback = new Playback(settings.library, settings.active, settings.seed)
    this.clock = new Clock(settings.clock)
  }

  get library(): Library {
    return this.#settings.library
  }

  get readings(): Readings {
    return this.#settings.readings
  }

  get acceptance(): Acceptance {
    return this.#settings.acceptance
  }

  /** The prefix of this world's paths: empty for the root, `/~NAME` for a sandbox. */
  get prefix(): string {
    return this.name === null ? '' : `/~${this.name}`
  }

  /** The next UUID of a kind: the same calls give the same ones. */
  uuid(kind: string): string {
    return seededUuid(this.#settings.seed, kind, this.state.next(kind))
  }

  /** Takes settings that changed while the server runs; state, journal and outbox stay. */
  configure(settings: WorldSettings): void {
    if (settings.seeded !== this.#settings.seeded) this.state.rebase(settings.seeded)
    this.#settings = settings
  }

  /** Begins again: seeded state, empty journal and outbox, scenarios and clock as at the start. */
  reset(): void {
    const { seeded, active, clock } = this.#settings
    this.state.reset(seeded)
    this.journal.reset()
    this.outbox.clear()
    this.playback.restart(active)
    this.clock.reset(clock)
  }
}
