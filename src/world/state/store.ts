import { type Adapter, Low, Memory } from 'lowdb'
import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'

/** All that a world has changed. */
export interface Changes {
  /** Fixtures that were put in the place of the seeded ones, or null. */
  replaced: Fixtures | null
  readonly counters: Record<string, number>
  readonly records: Map<CollectionName, Map<string, object>>
}

/** The changed records of one collection by their keys. */
export function changesOf<Name extends CollectionName>({ records }: Changes, name: Name): Map<string, RecordOf<Name>> {
  let changed = records.get(name)
  if (changed === undefined) {
    changed = new Map()
    records.set(name, changed)
  }
  return changed as Map<string, RecordOf<Name>>
}

const noChanges = (replaced: Fixtures | null = null): Changes => ({
  replaced,
  counters: {},
  records: new Map(),
})

/** Where changes are kept: lowdb over an explicit adapter, in memory or in a file. */
export class Store {
  readonly durable: boolean
  readonly #db: Low<Changes>
  #writing: Promise<void> | undefined
  #waiting: Promise<void> | undefined

  private constructor(db: Low<Changes>, durable: boolean) {
    this.#db = db
    this.durable = durable
  }

  static inMemory(): Store {
    return new Store(new Low(new Memory<Changes>(), noChanges()), false)
  }

  /**
   * Reads what an adapter holds, or begins with no changes.
   * @throws whatever the adapter throws for a file that it cannot read
   */
  static async open(adapter: Adapter<Changes>): Promise<Store> {
    const db = new Low(adapter, noChanges())
    await db.read()
    return new Store(db, true)
  }

  get changes(): Changes {
    return this.#db.data
  }

  clear(replaced: Fixtures | null): void {
    this.#db.data = noChanges(replaced)
  }

  /** Resolves when all that has changed up to now is stored; calls that wait together share one write. */
  flush(): Promise<void> {
    if (this.#writing === undefined) return this.#write()
    this.#waiting ??= this.#writing.then(
      () => this.#next(),
      () => this.#next(),
    )
    return this.#waiting
  }

  /** Resolves when no write is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#waiting])
  }

  #next(): Promise<void> {
    this.#waiting = undefined
    return this.#write()
  }

  #write(): Promise<void> {
    this.#writing = this.#db.write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }
}
