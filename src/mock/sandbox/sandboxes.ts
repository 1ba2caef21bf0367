import type { AllExchanges } from './journal/journal.js'
import { Sandbox } from './sandbox.js'
import type { Shared } from './settings.js'
import type { State } from './state/state.js'

const MOST_SANDBOXES = 1_000

export class Sandboxes {
  readonly root: Sandbox
  /** In the order of their last use. */
  readonly #sandboxes = new Map<string, Sandbox>()
  readonly #exchanges: AllExchanges = new Map()
  readonly #onSandbox: (sandbox: Sandbox) => void
  shared: Shared
  /** Grows with each sandbox that is made or deleted. */
  revision = 0

  constructor(shared: Shared, state?: State, onSandbox: (sandbox: Sandbox) => void = () => {}) {
    this.shared = shared
    this.#onSandbox = onSandbox
    this.root = new Sandbox(null, shared, this.#exchanges, state)
    onSandbox(this.root)
  }

  /** The sandbox of a valid name, made on first use. */
  get(name: string): Sandbox {
    const sandbox = this.#sandboxes.get(name) ?? this.#add(name)
    this.#sandboxes.delete(name)
    this.#sandboxes.set(name, sandbox)
    const [idlest] = this.#sandboxes.keys()
    if (this.#sandboxes.size > MOST_SANDBOXES) this.delete(idlest as string)
    return sandbox
  }

  #add(name: string): Sandbox {
    const sandbox = new Sandbox(name, this.shared, this.#exchanges)
    this.revision++
    this.#onSandbox(sandbox)
    return sandbox
  }

  /** False for a sandbox that was deleted, even if there is a new one with its name. */
  includes(sandbox: Sandbox): boolean {
    return sandbox.name === null || this.#sandboxes.get(sandbox.name) === sandbox
  }

  named(): readonly Sandbox[] {
    return [...this.#sandboxes.values()]
  }

  all(): readonly Sandbox[] {
    return [this.root, ...this.#sandboxes.values()]
  }

  delete(name: string): boolean {
    this.#sandboxes.get(name)?.journal.clear()
    this.revision++
    return this.#sandboxes.delete(name)
  }

  use(shared: Shared): void {
    this.shared = shared
    for (const sandbox of this.all()) sandbox.use(shared)
  }

  followSettings(): void {
    for (const sandbox of this.all()) sandbox.followSettings()
  }
}
