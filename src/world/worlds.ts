import type { Store } from './state/store.js'
import { World, type WorldSettings } from './world.js'

/** Sandboxes kept at once; beyond, the idlest goes. */
export const MOST_SANDBOXES = 1_000
/** `.` and `..` are left out: URLs swallow them. */
export const SANDBOX_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/

/** The root world and the sandboxes of one server. */
export class Worlds {
  readonly root: World
  readonly #sandboxes = new Map<string, World>()
  #settings: WorldSettings
  readonly #onWorld: (world: World) => void

  /** `onWorld` is called with each world as it is made. */
  constructor(settings: WorldSettings, store?: Store, onWorld: (world: World) => void = () => {}) {
    this.#settings = settings
    this.#onWorld = onWorld
    this.root = new World(null, settings, store)
    onWorld(this.root)
  }

  /** The sandbox of a name, made on first use; undefined when the name is not allowed. */
  sandbox(name: string): World | undefined {
    const known = this.#sandboxes.get(name)
    if (known !== undefined) {
      // The order of the map is the order of use.
      this.#sandboxes.delete(name)
      this.#sandboxes.set(name, known)
      return known
    }
    if (!SANDBOX_NAME.test(name)) return undefined
    const world = new World(name, this.#settings)
    this.#sandboxes.set(name, world)
    if (this.#sandboxes.size > MOST_SANDBOXES) this.#evict()
    this.#onWorld(world)
    return world
  }

  has(name: string): boolean {
    return this.#sandboxes.has(name)
  }

  /** In the order of their last use, the idlest first. */
  sandboxes(): readonly World[] {
    return [...this.#sandboxes.values()]
  }

  all(): readonly World[] {
    return [this.root, ...this.#sandboxes.values()]
  }

  delete(name: string): boolean {
    return this.#sandboxes.delete(name)
  }

  /** Gives every world, and those to come, changed settings. */
  configure(changes: Partial<WorldSettings>): void {
    const before = this.#settings
    this.#settings = { ...before, ...changes }
    for (const world of this.all()) {
      world.configure(this.#settings)
      toggle(world, before.active, this.#settings.active)
    }
  }

  #evict(): void {
    const [idlest] = this.#sandboxes.keys()
    if (idlest === undefined) return
    this.#sandboxes.delete(idlest)
    this.root.journal.note(
      `The sandbox '${idlest}' was given up: there were more than ${MOST_SANDBOXES}, and it was the idlest.`,
    )
  }
}

/** What was edited in the list goes on or off; what was toggled otherwise stays. */
function toggle({ playback }: World, before: readonly string[], after: readonly string[]): void {
  for (const name of before.filter((one) => !after.includes(one))) playback.deactivate(name)
  for (const name of after.filter((one) => !before.includes(one))) playback.activate(name)
}
