import { type Adapter, Low, Memory } from 'lowdb'
import type { Fixtures } from '../../../schemas/fixtures.js'
import { copyOf, highest } from './overlay.js'

/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

/**
 * A world's changes, in lowdb: in memory, or in a file. What is changed while they are written shares the next write.
 * When a write fails, everything that was changed since the last good one is undone.
 */
export class Store {
  readonly isFile: boolean
  readonly #db: Low<Fixtures>
  /** As last written. Records are frozen, so a copy of their lists is enough. */
  #good: Fixtures
  #changed = false
  /** To be called after the next write, and after the one under way. */
  #afterNext: (() => void)[] = []
  #afterThis: (() => void)[] = []
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  /** Called when changes have been undone. */
  onUndo: () => void = () => {}

  private constructor(db: Low<Fixtures>, isFile: boolean) {
    this.#db = db
    this.isFile = isFile
    this.#good = copyOf(db.data)
  }

  /** `start`: what a world begins with. */
  static inMemory(start: Fixtures): Store {
    return new Store(new Low(new Memory<Fixtures>(), start), false)
  }

  /**
   * Reads what an adapter holds, or begins with `start`.
   * @throws whatever the adapter throws for a file that it cannot read
   */
  static async open(adapter: Adapter<Fixtures>, start: Fixtures): Promise<Store> {
    const db = new Low(adapter, start)
    await db.read()
    return new Store(db, true)
  }

  /** The changes; code that changes them must report it. */
  get data(): Fixtures {
    return this.#db.data
  }

  /** Replaces all changes, as by a reset. */
  replace(data: Fixtures): void {
    this.#db.data = data
    this.change()
  }

  /** Notes that something has changed. */
  change(): void {
    this.#changed = this.isFile
  }

  /** Whether something has changed that is not yet stored. */
  get unsaved(): boolean {
    return this.#changed || this.#writing !== undefined
  }

  /** Calls back when all that was changed up to now is stored, at once where it need not be; not when it is undone. */
  whenStored(done: () => void): void {
    if (this.#changed) this.#afterNext.push(done)
    else if (this.#writing !== undefined) this.#afterThis.push(done)
    else done()
  }

  /**
   * Resolves when all that was changed up to now is stored.
   * @throws {StorageFailure} when it cannot be stored; then it has been undone
   */
  save(): Promise<void> {
    if (!this.#changed) return this.#writing ?? Promise.resolve()
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => {
      this.#writing = this.#write()
      return this.#writing
    })
    return this.#next
  }

  async #write(): Promise<void> {
    this.#next = undefined
    this.#changed = false
    this.#afterThis = this.#afterNext.splice(0)
    const written = copyOf(this.data)
    try {
      await this.#db.write()
    } catch (error) {
      this.#undo()
      throw error
    } finally {
      this.#writing = undefined
    }
    this.#good = written
    for (const done of this.#afterThis.splice(0)) done()
  }

  /** Counters stay as they are: ids that were given out must not come again. */
  #undo(): void {
    this.#next = undefined
    this.#changed = false
    this.#afterNext = []
    this.#afterThis = []
    this.#db.data = { ...copyOf(this.#good), counters: highest(this.#good, this.data) }
    this.onUndo()
  }
}
