import type { Aspect, World } from './world.js'
import type { Worlds } from './worlds.js'

/** Milliseconds for which a checkpoint is kept. */
const KEPT = 10_000
/** Checkpoints kept at once; the oldest goes first. Each may hold all that a world does. */
const MOST = 4

/** How parts of worlds were a moment ago, so that what a click took away can be put back. */
export class Checkpoints {
  readonly #worlds: Worlds
  readonly #kept = new Map<string, () => Promise<void>>()
  #made = 0

  constructor(worlds: Worlds) {
    this.#worlds = worlds
  }

  /** Keeps how these parts of a world are now, for ten seconds, and returns what `restore` takes. */
  make(world: World, parts: readonly Aspect[]): string {
    this.#made++
    const id = `c${this.#made}`
    const putBack = world.remember(parts)
    this.#kept.set(id, async () => {
      this.#worlds.bringBack(world)
      putBack()
      await world.state.save()
    })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest)
    setTimeout(() => this.#kept.delete(id), KEPT).unref()
    return id
  }

  /**
   * Puts back what was kept, once, and resolves with whether it still was; a sandbox that was deleted is there again.
   * @throws {StorageFailure} when the state cannot be stored
   */
  async restore(id: string): Promise<boolean> {
    const putBack = this.#kept.get(id)
    this.#kept.delete(id)
    await putBack?.()
    return putBack !== undefined
  }
}
