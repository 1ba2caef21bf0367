import type { AllExchanges } from './journal/journal.js'
import { World } from './sandbox.js'
import type { Shared } from './settings.js'
import type { State } from './state/state.js'

const MOST_SANDBOXES = 1_000

export class Worlds {
  readonly root: World
  /** In the order of their last use. */
  readonly #sandboxes = new Map<string, World>()
  readonly #exchanges: AllExchanges = new Map()
  readonly #onWorld: (world: World) => void
  shared: Shared
  /** Grows with each sandbox that is made or deleted. */
  revision = 0

  constructor(shared: Shared, state?: State, onWorld: (world: World) => void = () => {}) {
    this.shared = shared
    this.#onWorld = onWorld
    this.root = new World(null, shared, this.#exchanges, state)
    onWorld(this.root)
  }

  /** The sandbox of a valid name, made on first use. */
  sandbox(name: string): World {
    const world = this.#sandboxes.get(name) ?? this.#add(name)
    this.#sandboxes.delete(name)
    this.#sandboxes.set(name, world)
    const [idlest] = this.#sandboxes.keys()
    if (this.#sandboxes.size > MOST_SANDBOXES) this.delete(idlest as string)
    return world
  }

  #add(name: string): World {
    const world = new World(name, this.shared, this.#exchanges)
    this.revision++
    this.#onWorld(world)
    return world
  }

  /** False for a sandbox that was deleted, even if there is a new one with its name. */
  includes(world: World): boolean {
    return world.name === null || this.#sandboxes.get(world.name) === world
  }

  sandboxes(): readonly World[] {
    return [...this.#sandboxes.values()]
  }

  all(): readonly World[] {
    return [this.root, ...this.#sandboxes.values()]
  }

  delete(name: string): boolean {
    this.#sandboxes.get(name)?.journal.clear()
    this.revision++
    return this.#sandboxes.delete(name)
  }

  use(shared: Shared): void {
    this.shared = shared
    for (const world of this.all()) world.use(shared)
  }

  followSettings(): void {
    for (const world of this.all()) world.followSettings()
  }
}
