import { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { Deliverer } from './mail/outbox.js'
import { Sandbox, type SandboxApi, type SandboxContext, type SandboxEvents } from './sandbox.js'
import type { EngineSettings, ServerData } from './settings.js'
import type { State } from './state/state.js'

const MAX_SANDBOXES = 1_000

export class Sandboxes<Settings extends EngineSettings = EngineSettings> extends EventEmitter<SandboxEvents> {
  readonly root: Sandbox
  readonly #named = new Map<string, Sandbox>()
  readonly #context: SandboxContext
  data: ServerData<Settings>

  constructor(data: ServerData<Settings>, api: SandboxApi, { state, smtp }: { state?: State; smtp?: Deliverer } = {}) {
    super()
    this.setMaxListeners(0)
    this.data = data
    this.#context = { api, exchanges: new Map(), total: { added: 0 }, smtp, events: this }
    this.root = new Sandbox(null, data, this.#context, state)
  }

  get(name: string): Sandbox {
    const existing = this.#named.get(name)
    const sandbox = existing ?? new Sandbox(name, this.data, this.#context)
    // Keep the map in the order of last use.
    this.#named.delete(name)
    this.#named.set(name, sandbox)
    if (existing === undefined) this.emit('change', 'sandboxes', sandbox)
    const [leastRecent] = this.#named.keys()
    if (this.#named.size > MAX_SANDBOXES) this.delete(leastRecent as string)
    return sandbox
  }

  /** False for a deleted sandbox, even if a new one has its name. */
  includes(sandbox: Sandbox): boolean {
    return sandbox.name === null || this.#named.get(sandbox.name) === sandbox
  }

  named(): readonly Sandbox[] {
    return [...this.#named.values()]
  }

  delete(name: string): boolean {
    const sandbox = this.#named.get(name)
    if (sandbox === undefined) return false
    this.#named.delete(name)
    sandbox.journal.clear()
    sandbox.state.total.added -= sandbox.state.added
    this.emit('change', 'sandboxes', sandbox)
    return true
  }

  /** Replaces the data. Returns the sandboxes whose records do not fit edited fixtures. */
  use(data: ServerData<Settings>): readonly Sandbox[] {
    const problemsIn = ({ complaints, needsRestart = [] }: ServerData<Settings>) => [complaints, needsRestart]
    const haveProblemsChanged = !isDeepStrictEqual(problemsIn(data), problemsIn(this.data))
    this.data = data
    const conflicting = this.#all().filter((sandbox) => !sandbox.use(data))
    if (haveProblemsChanged) this.emit('change', 'files', this.root)
    this.emit('edit')
    return conflicting
  }

  applyActiveScenarios(): void {
    for (const sandbox of this.#all()) sandbox.applyActiveScenarios()
  }

  /** For shutdown: ends pending exchanges before their connections emit `close`. */
  abortPending(): void {
    for (const { journal } of this.#all()) for (const pending of journal.pending()) pending.abort()
  }

  #all(): readonly Sandbox[] {
    return [this.root, ...this.#named.values()]
  }
}
