import { EventEmitter } from 'node:events'
import type { User } from '../../api/records.js'
import type { ScenarioDefinition } from '../files/scenario.js'
import type { SourceFile } from '../files/source-file.js'
import type { Effect, Exchange, TestName } from '../journal/exchange.js'
import { type AllExchanges, Journal, type PendingExchange } from '../journal/journal.js'
import { splitSandboxSuffix } from '../judge/token.js'
import { Clock, clockStart, utcText } from './clock.js'
import { type Deliverer, type Mail, Outbox } from './mail/outbox.js'
import { randomUuid } from './random.js'
import { SandboxLibrary } from './scenarios/library.js'
import { Playback } from './scenarios/player.js'
import { activeScenarios, type MockSettings, type Shared } from './settings.js'
import { State } from './state/state.js'

/** What of a sandbox changed; of all of them, `sandboxes` if one was made or deleted, and `files` that cannot be used. */
export type Aspect = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal' | 'sandboxes' | 'files'

export interface SandboxEvents {
  begin: [exchange: PendingExchange, sandbox: Sandbox]
  exchange: [exchange: Exchange, sandbox: Sandbox]
  change: [aspect: Aspect, sandbox: Sandbox]
  reset: [sandbox: Sandbox]
  /** An edit has replaced the settings, the library or the seeded records of all sandboxes. */
  edit: []
}

/** What all sandboxes of a server have in common, besides its data. */
export interface SandboxContext {
  readonly exchanges: AllExchanges
  readonly smtp?: Deliverer | undefined
  readonly events: EventEmitter<SandboxEvents>
}

/** What a piece of work brought about. */
export interface Brought {
  readonly effects: Effect[]
  /** The ids of mails. */
  readonly mails: string[]
}

/** State, journal, outbox, scenarios and clock of its own. The root is a sandbox without a name. */
export class Sandbox {
  readonly name: string | null
  /** Of the paths below which this sandbox answers; empty for the root. */
  readonly prefix: string
  /** The test that began with the last reset. */
  test: TestName = {}
  readonly state: State
  readonly journal: Journal
  readonly outbox: Outbox
  readonly library: SandboxLibrary
  readonly playback: Playback
  readonly clock: Clock
  /** Those of all sandboxes. */
  readonly events: EventEmitter<SandboxEvents>
  #shared: Shared
  #brought: Brought | undefined

  constructor(name: string | null, shared: Shared, context: SandboxContext, state?: State) {
    const { settings, seeded, library } = shared
    const changed = (aspect: Aspect) => () => context.events.emit('change', aspect, this)
    this.name = name
    this.prefix = name === null ? '' : `/~${name}`
    this.#shared = shared
    this.events = context.events
    this.state = state ?? new State(seeded)
    this.state.onChange = (effect) => {
      if (effect !== undefined) this.#brought?.effects.push(effect)
      context.events.emit('change', 'state', this)
    }
    this.clock = new Clock(clockStart(settings.clock), changed('clock'))
    this.journal = new Journal(settings.journalSize, context.exchanges, changed('journal'))
    this.outbox = new Outbox(changed('mail'), context.smtp)
    this.library = new SandboxLibrary(library, changed('scenarios'))
    const find = (one: string) => this.library.find(one)
    this.playback = new Playback(find, activeScenarios(settings), settings.seed, changed('scenarios'))
  }

  isToken(text: string): boolean {
    return this.settings.secrets.includes(text) || this.userOf(text) !== undefined
  }

  userOf(token: string): User | undefined {
    return this.state.collection('users').lookUp(token)[0]
  }

  /** A token without the suffix that names this sandbox, unless a user has it with the suffix. */
  withoutSuffix(token: string): string {
    const split = splitSandboxSuffix(token)
    return split?.sandbox === this.name && this.userOf(token) === undefined ? split.token : token
  }

  get settings(): MockSettings {
    return this.#shared.settings
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
  send(mail: Mail): void {
    this.#brought?.mails.push(mail.id)
    this.state.whenStored(() => this.outbox.add(mail))
  }

  /** Does work in one go, and notes in `brought` what it brings about. */
  note<T>(brought: Brought, work: () => T): T {
    this.#brought = brought
    try {
      return work()
    } finally {
      this.#brought = undefined
    }
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

  /** A copy with the same state and time, to try something without effects and events. */
  copy(): Sandbox {
    const context: SandboxContext = { exchanges: new Map(), events: new EventEmitter() }
    const copy = new Sandbox(this.name, this.#shared, context, this.state.copy())
    copy.clock.set(this.clock.now(), this.clock.isFrozen)
    return copy
  }

  /**
   * Starts over once the seeded state is stored: empty journal and outbox, scenarios and clock as at the start.
   * @throws {StorageFailure} when it cannot be stored; then everything is as it was
   */
  async reset(test: TestName = {}): Promise<void> {
    this.state.reset(this.#shared.seeded)
    this.state.whenStored(() => {
      this.test = test
      this.journal.reset()
      this.outbox.clear()
      this.library.clear()
      this.playback.reset(activeScenarios(this.settings))
      this.clock.reset(clockStart(this.settings.clock))
      this.events.emit('reset', this)
    })
    await this.state.save()
  }
}
