import { type Adapter, Low, Memory } from 'lowdb'
import type { Fixtures } from '../../../schemas/fixtures.js'
import { copyOf, highest } from './lists.js'

/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

type Callbacks = (() => void)[]

/** A world's state in lowdb. Changes during a write share the next one; a failed write undoes all since the last good one. */
export class Store {
  readonly #db: Low<Fixtures>
  readonly #isFile: boolean
  /** As last written. */
  #good: Fixtures
  /** To be called after the next write; undefined while nothing has changed. */
  #changed: Callbacks | undefined
  /** To be called after the write under way. */
  #underWay: Callbacks = []
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  onUndo: () => void = () => {}

  private constructor(db: Low<Fixtures>, isFile: boolean) {
    this.#db = db
    this.#isFile = isFile
    // In memory, nothing is ever undone.
    this.#good = isFile ? copyOf(db.data) : db.data
  }

  static inMemory(start: Fixtures): Store {
    return new Store(new Low(new Memory<Fixtures>(), start), false)
  }

  /**
   * Reads what an adapter holds, or begins with `start`.
   * @throws whatever the adapter throws for a file that it cannot read
   */
  static async open(adapter: Adapter<Fixtures>, start: Fixtures): Promise<Store> {
    const db = new Low(adapter, copyOf(start))
    await db.read()
    return new Store(db, true)
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
    if (this.#isFile) this.#changed ??= []
  }

  /** Whether something has changed that is not yet stored. */
  get unsaved(): boolean {
    return (this.#changed ?? this.#writing) !== undefined
  }

  /** Calls back when all changes up to now are stored, at once if there are none; never when they are undone. */
  whenStored(done: () => void): void {
    if (this.#changed !== undefined) this.#changed.push(done)
    else if (this.#writing !== undefined) this.#underWay.push(done)
    else done()
  }

  /**
   * Resolves when all changes up to now are stored.
   * @throws {StorageFailure} when they cannot be stored; then they have been undone
   */
  save(): Promise<void> {
    if (this.#changed === undefined) return this.#writing ?? Promise.resolve()
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => {
      this.#writing = this.#write()
      return this.#writing
    })
    return this.#next
  }

  async #write(): Promise<void> {
    this.#next = undefined
    this.#underWay = this.#changed ?? []
    this.#changed = undefined
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
    for (const done of this.#underWay) done()
  }

  /** Counters stay as they are: ids that were given out must not come again. */
  #undo(): void {
    this.#next = undefined
    this.#changed = undefined
    this.#db.data = { ...copyOf(this.#good), counters: highest(this.#good, this.data) }
    this.onUndo()
  }
}
