import type { User } from '../../../schemas/fixtures.js'
import type { ScenarioDefinition } from '../../../schemas/scenario.js'
import type { SourceFile } from '../text/source-file.js'
import { Clock, clockStart, utcText } from './clock.js'
import { type AllExchanges, Journal } from './journal/journal.js'
import { type Message, Outbox } from './mail/outbox.js'
import { randomUuid } from './random.js'
import { userOfToken } from './sandbox-suffix.js'
import type { Library } from './scenarios/library.js'
import { Playback } from './scenarios/playback.js'
import { activeScenarios, type Settings, type Shared } from './settings.js'
import { State } from './state/state.js'

export type Aspect = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal'

/** One self-contained service: state, journal, outbox, scenarios and clock. The root is one; each sandbox is one. */
export class Sandbox {
  readonly name: string | null
  /** The full name of the test that began with the last reset. */
  title: string | undefined
  readonly state: State
  readonly journal: Journal
  readonly outbox: Outbox
  readonly library: Library
  readonly playback: Playback
  readonly clock: Clock
  #shared: Shared

  constructor(name: string | null, shared: Shared, exchanges: AllExchanges, state?: State, clock?: Clock) {
    const { settings, seeded, library } = shared
    this.name = name
    this.#shared = shared
    this.state = state ?? new State(seeded)
    this.clock = clock ?? new Clock(clockStart(settings.clock))
    this.journal = new Journal(settings.journalSize, exchanges, (text) => this.isToken(text))
    this.outbox = new Outbox()
    this.library = library.forSandbox()
    this.playback = new Playback((one) => this.library.find(one), activeScenarios(settings), settings.seed)
  }

  isToken(text: string): boolean {
    const { adminToken, providerToken } = this.settings
    return text === adminToken || text === providerToken || userOfToken(this, text) !== undefined
  }

  get settings(): Settings {
    return this.#shared.settings
  }

  get prefix(): string {
    return this.name === null ? '' : `/~${this.name}`
  }

  get firstUser(): User | undefined {
    return this.state.collection('users').all()[0]
  }

  /** The next UUID of a kind; those in `taken` may stem from another sandbox or an earlier run. */
  uuid(kind: string, taken?: { get(id: string): unknown }): string {
    for (;;) {
      const id = randomUuid(this.settings.seed, kind, this.state.next(kind))
      if (taken?.get(id) === undefined) return id
    }
  }

  timestamp(time: string): string {
    return utcText(time, this.settings.switches.timestamps)
  }

  /** Sends a mail once the change that it is about is stored. */
  send(mail: Omit<Message, 'delivery'>): void {
    this.state.whenStored(() => this.outbox.add(mail))
  }

  /** @throws {InvalidFiles} with every complaint about the scenario */
  async defineScenario(name: string, source: SourceFile): Promise<void> {
    await this.library.define(name, source)
    const { active } = source.data as ScenarioDefinition
    if (active === true) this.playback.activate(name)
    if (active === false) this.playback.deactivate(name)
  }

  /** False if there is none. */
  removeScenario(name: string): boolean {
    if (!this.library.remove(name)) return false
    // The settings may list another one of its name.
    if (!activeScenarios(this.settings).includes(name)) this.playback.deactivate(name)
    return true
  }

  /** Takes over edits of files; records that have changed, journal, outbox and switched scenarios stay. */
  use(shared: Shared): void {
    const before = this.#shared
    this.#shared = shared
    if (shared.seeded !== before.seeded) this.state.rebase(shared.seeded)
    this.library.use(shared.library)
  }

  /** Switches the scenarios as the settings list them, except in a sandbox that has switched some itself. */
  followSettings(): void {
    if (this.name === null || !this.playback.wasSwitched) this.playback.follow(activeScenarios(this.settings))
  }

  /** A copy of this sandbox, to try an operation without its effects. */
  fork(): Sandbox {
    return new Sandbox(this.name, this.#shared, new Map(), this.state.copy(), this.clock)
  }

  /** Numbers that grow with each change; that of the journal only if it is cleared. */
  get revisions(): Readonly<Record<Aspect, number>> {
    const { library, playback, outbox, state, clock, journal } = this
    return {
      scenarios: library.revision + playback.revision,
      mail: outbox.revision,
      state: state.revision,
      clock: clock.revision,
      journal: journal.revision,
    }
  }

  /**
   * Starts over once the seeded state is stored: empty journal and outbox, scenarios and clock as at the start.
   * @throws {StorageFailure} when it cannot be stored; then everything is as it was
   */
  async reset(title?: string): Promise<void> {
    this.state.reset(this.#shared.seeded)
    this.state.whenStored(() => {
      this.title = title
      this.journal.reset()
      this.outbox.clear()
      this.library.clear()
      this.playback.reset(activeScenarios(this.settings))
      this.clock.reset(clockStart(this.settings.clock))
    })
    await this.state.save()
  }
}
