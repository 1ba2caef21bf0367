import { type Adapter, Low, Memory } from 'lowdb'
import { Changes } from './changes.js'

/** Something that was done and is not yet stored. */
interface Step {
  readonly undo?: () => void
  readonly done?: () => void
}

/**
 * Where changes are kept: lowdb over an explicit adapter, in memory or in a file. What is done between two writes
 * shares the second one. When a write fails, everything that was done since the last one is undone, newest first,
 * before anything else can be written.
 */
export class Store {
  readonly #durable: boolean
  readonly #db: Low<Changes>
  #steps: Step[] = []
  /** The write under way; what was done since it began waits for the next one. */
  #writing: Promise<void> | undefined
  #begun = 0
  #waiting: Promise<void> | undefined

  private constructor(db: Low<Changes>, durable: boolean) {
    this.#db = db
    this.#durable = durable
  }

  static inMemory(): Store {
    return new Store(new Low(new Memory<Changes>(), new Changes()), false)
  }

  /**
   * Reads what an adapter holds, or begins with no changes.
   * @throws whatever the adapter throws for a file that it cannot read
   */
  static async open(adapter: Adapter<Changes>): Promise<Store> {
    const db = new Low(adapter, new Changes())
    await db.read()
    return new Store(db, true)
  }

  get changes(): Changes {
    return this.#db.data
  }

  /** Replaces all changes, as by a reset; the caller must register how to undo it. */
  replace(changes: Changes): void {
    this.#db.data = changes
  }

  /** Registers how something that was just done is undone. */
  onFailure(undo: () => void): void {
    if (this.#durable) this.#steps.push({ undo })
  }

  /** Calls back when all that was done up to now is stored; at once where nothing has to be. Not when it is undone. */
  whenStored(done: () => void): void {
    if (this.#durable) this.#steps.push({ done })
    else done()
  }

  /** Whether something was done that is not yet stored. */
  get unsaved(): boolean {
    return this.#steps.length > 0
  }

  /**
   * Resolves when all that was done up to now is stored.
   * @throws {StorageFailure} when it cannot be stored; then it has been undone
   */
  save(): Promise<void> {
    if (!this.unsaved) return Promise.resolve()
    if (this.#writing === undefined) return this.#write()
    if (this.#steps.length === this.#begun) return this.#writing
    // A write that fails takes with it what was done since.
    this.#waiting ??= this.#writing.then(() => this.save())
    return this.#waiting
  }

  #write(): Promise<void> {
    this.#waiting = undefined
    this.#begun = this.#steps.length
    this.#writing = this.#db.write().then(
      () => this.#succeed(),
      (error: unknown) => this.#fail(error),
    )
    return this.#writing
  }

  #succeed(): void {
    this.#writing = undefined
    for (const { done } of this.#steps.splice(0, this.#begun)) done?.()
  }

  #fail(error: unknown): never {
    this.#writing = undefined
    this.#waiting = undefined
    for (const { undo } of this.#steps.splice(0).reverse()) undo?.()
    throw error
  }
}
