import { EventEmitter } from 'node:events'
import type { TObject } from '@sinclair/typebox'
import type { CitableTexts } from '../contract/citable-texts.js'
import type { Contract } from '../contract/contract.js'
import type { Conventions } from '../contract/conventions.js'
import type { SwitchValues } from '../contract/switches.js'
import { timeOf } from '../contract/time.js'
import type { CollectionDefinition } from '../files/collections.js'
import type { ScenarioDefinition } from '../files/scenario.js'
import type { SourceFile } from '../files/source-file.js'
import type { Effect, Effects, Exchange, TestName } from '../journal/exchange.js'
import { type AllExchanges, Journal, type PendingExchange } from '../journal/journal.js'
import type { Viewer } from '../journal/redact.js'
import { splitSandboxSuffix } from '../judge/token.js'
import { Clock } from './clock.js'
import { type Deliverer, type Mail, Outbox } from './mail/outbox.js'
import { SandboxLibrary } from './scenarios/library.js'
import { ScenarioPlayer } from './scenarios/player.js'
import { seededUuid } from './seeded.js'
import { activeScenarios, type EngineSettings, type ServerData } from './settings.js'
import { State } from './state/state.js'

/** `sandboxes`: a sandbox was created or deleted; `files`: files became usable or unusable. */
export type ChangeKind = 'scenarios' | 'mail' | 'state' | 'clock' | 'journal' | 'sandboxes' | 'files'

export interface SandboxEvents {
  begin: [exchange: PendingExchange, sandbox: Sandbox]
  exchange: [exchange: Exchange, sandbox: Sandbox]
  change: [kind: ChangeKind, sandbox: Sandbox]
  reset: [sandbox: Sandbox]
  /** Edited files replaced settings, scenarios or seeds. */
  edit: []
}

/** `User` is a record of `collection`. */
export interface Users<User extends object = object> {
  /** Has an index `token`. */
  readonly collection: CollectionDefinition<TObject, 'token'>
  token(user: User): string
  permissions(user: User): readonly string[]
  /** Columns of `list tokens` and of the start's output. */
  row(user: User): Readonly<Record<string, string | readonly string[]>>
  caller(user: User): object
}

export interface SandboxApi extends CitableTexts {
  readonly conventions: Conventions
  readonly collections: readonly CollectionDefinition[]
  readonly users: Users
  readonly operations: readonly {
    readonly contract: Contract
    canUseValues?(values: Readonly<Record<string, string>>, caller: SandboxCaller): boolean
  }[]
}

export interface SandboxCaller<User = object, Values = SwitchValues> {
  readonly user: User
  readonly sandbox: Sandbox
  readonly switches: Values
}

export interface SandboxContext {
  readonly api: SandboxApi
  readonly exchanges: AllExchanges
  readonly total?: State['total']
  readonly smtp?: Deliverer | undefined
  readonly events: EventEmitter<SandboxEvents>
}

/** The root is a sandbox without a name. */
export class Sandbox implements Viewer {
  readonly prefix: string
  test: TestName = {}
  readonly state: State
  readonly journal: Journal
  readonly outbox: Outbox
  readonly library: SandboxLibrary
  readonly player: ScenarioPlayer
  readonly clock: Clock
  readonly api: SandboxApi
  readonly events: EventEmitter<SandboxEvents>
  #recorded: { readonly effects: Effect[]; readonly mails: string[] } | undefined

  constructor(
    readonly name: string | null,
    private data: ServerData,
    context: SandboxContext,
    state?: State,
  ) {
    const { settings, seeded, library } = data
    const changed = (kind: ChangeKind) => () => context.events.emit('change', kind, this)
    this.prefix = name === null ? '' : `/~${name}`
    this.api = context.api
    this.events = context.events
    this.state = state ?? new State(seeded, context.api.collections)
    this.state.total = context.total ?? this.state.total
    this.state.onChange = (effect) => {
      if (effect !== undefined) this.#recorded?.effects.push(effect)
      context.events.emit('change', 'state', this)
    }
    this.clock = new Clock(timeOf(settings.clock), changed('clock'))
    this.journal = new Journal(settings.journalSize, context.exchanges, changed('journal'))
    this.outbox = new Outbox(changed('mail'), context.smtp)
    this.library = new SandboxLibrary(library, changed('scenarios'))
    const find = (scenario: string) => this.library.find(scenario)
    this.player = new ScenarioPlayer(find, activeScenarios(settings, name), settings.seed, changed('scenarios'))
  }

  isToken(text: string): boolean {
    return this.settings.secrets.includes(text) || this.userOf(text) !== undefined
  }

  isTokenHeader(name: string): boolean {
    return this.api.conventions.tokenHeaders.some((header) => header.name === name)
  }

  canUseValues({ id }: Contract, values: Readonly<Record<string, string>>, token: string): boolean {
    const user = this.userOf(token) ?? this.users[0]
    const operation = this.api.operations.find(({ contract }) => contract.id === id)
    const caller = user && { user, sandbox: this, switches: this.settings.switches }
    return caller === undefined || operation?.canUseValues?.(values, caller) !== false
  }

  userOf(token: string): object | undefined {
    return this.state.collection(this.api.users.collection).findBy('token', token)[0]
  }

  get users(): readonly object[] {
    return this.state.collection(this.api.users.collection).all()
  }

  /** The token of a user may itself end in `~NAME`. */
  withoutSuffix(token: string): string {
    const split = splitSandboxSuffix(token)
    return split?.sandbox === this.name && this.userOf(token) === undefined ? split.token : token
  }

  get settings(): EngineSettings {
    return this.data.settings
  }

  get firstToken(): string | undefined {
    const [user] = this.users
    return user && this.api.users.token(user)
  }

  /** Skips UUIDs of `records`, which may be from another sandbox or an earlier run. */
  uuid(kind: string, records?: { get(id: string): unknown }): string {
    for (;;) {
      const id = seededUuid(this.settings.seed, kind, this.state.next(kind))
      if (records?.get(id) === undefined) return id
    }
  }

  send(mail: Mail): void {
    this.#recorded?.mails.push(mail.id)
    this.state.afterSave(() => this.outbox.add(mail))
  }

  recordEffects<T>(work: () => T): Effects & { readonly result: T } {
    const effects: Effect[] = []
    const mails: string[] = []
    this.#recorded = { effects, mails }
    try {
      return { effects, mails, result: work() }
    } finally {
      this.#recorded = undefined
    }
  }

  async defineScenario(name: string, source: SourceFile): Promise<void> {
    await this.library.define(name, source)
    const { active } = source.data as ScenarioDefinition
    if (active === true) this.player.activate(name)
    if (active === false) this.player.deactivate(name)
  }

  removeScenario(name: string): boolean {
    if (!this.library.remove(name)) return false
    // The settings may list another scenario with this name.
    if (!activeScenarios(this.settings, this.name).includes(name)) this.player.deactivate(name)
    return true
  }

  /** False if changed records do not fit the edited fixtures; the next reset then loads the fixtures. */
  use(data: ServerData): boolean {
    const before = this.data
    this.data = data
    this.library.use(data.library)
    return data.seeded === before.seeded || this.state.applyEditedFixtures(data.seeded)
  }

  applyActiveScenarios(): void {
    if (this.name === null || !this.player.wasSwitched) this.player.setActive(activeScenarios(this.settings, this.name))
  }

  /** Changes of the copy raise no events. */
  copy(): Sandbox {
    const context: SandboxContext = { api: this.api, exchanges: new Map(), events: new EventEmitter() }
    const copy = new Sandbox(this.name, this.data, context, this.state.copy())
    copy.clock.set(this.clock.now(), this.clock.isFrozen)
    return copy
  }

  /** @throws {StorageFailure} if the seeds cannot be stored; then nothing changes */
  async reset(test: TestName = {}): Promise<void> {
    this.state.reset(this.data.seeded)
    this.state.afterSave(() => {
      this.test = test
      this.journal.reset()
      this.outbox.clear()
      this.library.clear()
      this.player.reset(activeScenarios(this.settings, this.name))
      this.clock.reset(timeOf(this.settings.clock))
      this.events.emit('reset', this)
    })
    await this.state.save()
  }
}
