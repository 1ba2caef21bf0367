import { type Adapter, Low, Memory } from 'lowdb'
import type { Fixtures } from '../../../schemas/fixtures.js'
import { copyOf, highest } from './lists.js'

/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

/** A world's state in lowdb. Changes during a write share the next one; a failed write undoes all since the last good one. */
export class Store {
  readonly #db: Low<Fixtures>
  /** As last written; undefined in memory, where nothing is ever undone. */
  #good: Fixtures | undefined
  #isChanged = false
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  onUndo: () => void = () => {}

  private constructor(db: Low<Fixtures>, good?: Fixtures) {
    this.#db = db
    this.#good = good
  }

  static inMemory(start: Fixtures): Store {
    return new Store(new Low(new Memory<Fixtures>(), start))
  }

  /**
   * Reads what an adapter holds, or begins with `start`.
   * @throws whatever the adapter throws for a file that it cannot read
   */
  static async open(adapter: Adapter<Fixtures>, start: Fixtures): Promise<Store> {
    const db = new Low(adapter, copyOf(start))
    await db.read()
    return new Store(db, copyOf(db.data))
  }

  /** Report changes to it by `change`. */
  get data(): Fixtures {
    return this.#db.data
  }

  replace(data: Fixtures): void {
    this.#db.data = data
    this.change()
  }

  change(): void {
    this.#isChanged = this.#good !== undefined
  }

  /** Whether something has changed that is not yet stored. */
  get unsaved(): boolean {
    return this.#isChanged || this.#writing !== undefined
  }

  /** Calls back when all changes up to now are stored, at once if there are none; never when they are undone. */
  whenStored(done: () => void): void {
    if (this.unsaved) this.save().then(done, () => {})
    else done()
  }

  /**
   * Resolves when all changes up to now are stored.
   * @throws {StorageFailure} when they cannot be stored; then they have been undone
   */
  save(): Promise<void> {
    if (!this.#isChanged) return this.#writing ?? Promise.resolve()
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => {
      this.#writing = this.#write()
      return this.#writing
    })
    return this.#next
  }

  async #write(): Promise<void> {
    this.#next = undefined
    this.#isChanged = false
    const written = copyOf(this.data)
    try {
      await this.#db.write()
      this.#good = written
    } catch (error) {
      this.#undo(this.#good as Fixtures)
      throw error
    } finally {
      this.#writing = undefined
    }
  }

  /** Counters stay as they are: ids that were given out must not come again. */
  #undo(good: Fixtures): void {
    this.#next = undefined
    this.#isChanged = false
    this.#db.data = { ...copyOf(good), counters: highest(good, this.data) }
    this.onUndo()
  }
}
