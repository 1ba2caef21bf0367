import type { User } from '../../schemas/fixtures.js'
import { Clock, clockStart, utcText } from './clock.js'
import { AllJournals } from './journal/all-journals.js'
import { Journal } from './journal/journal.js'
import { Outbox, type OutgoingMail } from './mail/outbox.js'
import { Playback } from './scenarios/playback.js'
import { WorldLibrary } from './scenarios/world-library.js'
import { seededUuid } from './seeded.js'
import { activeScenarios, type Settings, type Shared } from './settings.js'
import { State } from './state/state.js'
import type { Store } from './state/store.js'

/** The parts of a world that change. */
export type Aspect = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal'

/** One self-contained service: state, journal, outbox, scenarios and clock. The root is one; each sandbox is one. */
export class World {
  /** The sandbox's name; null for the root. */
  readonly name: string | null
  /** The full name of the test that began with the last reset, if it gave one. */
  title: string | undefined
  readonly state: State
  readonly journal: Journal
  readonly outbox: Outbox
  readonly library: WorldLibrary
  readonly playback: Playback
  readonly clock: Clock
  #shared: Shared

  constructor(name: string | null, shared: Shared, journals: AllJournals, store?: Store, clock?: Clock) {
    const { settings, seeded, library } = shared
    this.name = name
    this.#shared = shared
    this.state = new State(seeded, store)
    this.clock = clock ?? new Clock(clockStart(settings.clock))
    this.journal = new Journal(settings.journalSize, journals, (text) => this.#isToken(text))
    this.outbox = new Outbox()
    this.library = new WorldLibrary(library)
    this.playback = new Playback(this.library, activeScenarios(settings), settings.seed)
  }

  get settings(): Settings {
    return this.#shared.settings
  }

  /** The prefix of this world's paths: empty for the root, `/~NAME` for a sandbox. */
  get prefix(): string {
    return this.name === null ? '' : `/~${this.name}`
  }

  /** The user whose token examples use; undefined where the fixtures have no users. */
  get firstUser(): User | undefined {
    const [first] = this.state.collection('users').all()
    return first
  }

  /**
   * The next UUID of a kind: the same calls give the same ones. Those in `taken` are passed over: a state that came from
   * another world, or from before a reset, has records with the same ones.
   */
  uuid(kind: string, taken?: { get(id: string): unknown }): string {
    for (;;) {
      const id = seededUuid(this.settings.seed, kind, this.state.next(kind))
      if (taken?.get(id) === undefined) return id
    }
  }

  /** A time as answers have it (I-22). */
  timestamp(time: string): string {
    return utcText(time, this.settings.readings.timestamps)
  }

  /** Answers by what was edited while the server runs; state, journal, outbox and what is on stay. */
  use(shared: Shared): void {
    const before = this.#shared
    this.#shared = shared
    if (shared.seeded !== before.seeded) this.state.rebase(shared.seeded)
    this.library.use(shared.library)
  }

  /** Has exactly those scenarios on that the settings list; not in a sandbox that has switched some itself. */
  followSettings(): void {
    if (this.name === null || !this.playback.switched) this.playback.follow(activeScenarios(this.settings))
  }

  /** A world in the state of this one, in which nothing that happens lasts. */
  rehearsal(): World {
    return new World(this.name, this.#shared, new AllJournals(), this.state.copy(), this.clock)
  }

  /**
   * What grows with each change, by what has changed, besides the exchanges that come in; what others share with this
   * world is not among it.
   */
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

  /** Sends a mail when what it is about is stored; one that is about something undone is never sent. */
  send(mail: OutgoingMail): void {
    this.state.whenStored(() => this.outbox.add(mail))
  }

  #isToken(text: string): boolean {
    const { adminToken, providerToken } = this.settings
    if (text === adminToken || text === providerToken) return true
    return this.state.collection('users').first('token', text) !== undefined
  }

  /** Lets go of what it shares with other worlds, when it is deleted. */
  end(): void {
    this.journal.clear()
    this.outbox.clear()
    this.library.clear()
  }

  /** Starts over: seeded state, empty journal and outbox, scenarios and clock as at the start. */
  reset(): void {
    this.state.reset(this.#shared.seeded)
    this.#restart()
  }

  /**
   * Starts over once the seeded state is stored.
   * @throws {StorageFailure} when it cannot be stored; then everything is as it was
   */
  async resetStored(title?: string): Promise<void> {
    this.state.reset(this.#shared.seeded)
    this.state.whenStored(() => {
      this.#restart()
      this.title = title
    })
    await this.state.save()
  }

  #restart(): void {
    const { settings } = this.#shared
    this.journal.reset()
    this.outbox.clear()
    this.library.clear()
    this.playback.reset(activeScenarios(settings))
    this.clock.reset(clockStart(settings.clock))
  }
}
