import type { CollectionName, Fixtures, RecordOf } from '../../../schemas/fixtures.js'

/** What has changed since the last batch was taken, as it is stored. */
export interface Batch {
  /** Fixtures that replace the seeded ones, or null for the seeded ones; without it, earlier changes stay. */
  readonly replaced?: Fixtures | null
  readonly counters: Readonly<Record<string, number>>
  readonly records: Readonly<Partial<Record<CollectionName, readonly object[]>>>
}

/** All that a world has changed over its fixtures, and which of it is not yet stored. */
export class Changes {
  /** Fixtures that replace the seeded ones, or null. */
  readonly replaced: Fixtures | null
  readonly #counters = new Map<string, number>()
  readonly #records = new Map<CollectionName, Map<string, object>>()
  readonly #dirtyCounters = new Set<string>()
  readonly #dirtyRecords = new Map<CollectionName, Set<string>>()
  /** Whether these changes begin anew, so that what was stored before does not count. */
  #fresh = false

  constructor(replaced: Fixtures | null = null) {
    this.replaced = replaced
  }

  /** No changes over the seeded fixtures: everything begins anew, counters too. */
  static none(): Changes {
    const changes = new Changes()
    changes.#fresh = true
    return changes
  }

  /** No changes over other fixtures; the counters go on, so that ids that were given out stay unique. */
  over(replaced: Fixtures): Changes {
    const changes = new Changes(replaced)
    changes.#fresh = true
    for (const [sequence, number] of this.#counters) {
      changes.#counters.set(sequence, number)
      changes.#dirtyCounters.add(sequence)
    }
    return changes
  }

  /** The changed records of one collection by their keys; the caller must mark what it changes. */
  recordsOf<Name extends CollectionName>(name: Name): Map<string, RecordOf<Name>> {
    let records = this.#records.get(name)
    if (records === undefined) {
      records = new Map()
      this.#records.set(name, records)
    }
    return records as Map<string, RecordOf<Name>>
  }

  /** Marks a record as not yet stored. */
  mark(name: CollectionName, key: string): void {
    const keys = this.#dirtyRecords.get(name)
    if (keys === undefined) this.#dirtyRecords.set(name, new Set([key]))
    else keys.add(key)
  }

  /** The next number of a sequence, from 1. */
  next(sequence: string): number {
    const number = (this.#counters.get(sequence) ?? 0) + 1
    this.#counters.set(sequence, number)
    this.#dirtyCounters.add(sequence)
    return number
  }

  /** Takes what is not yet stored, and marks it as stored. */
  takeBatch(): Batch {
    const records = Array.from(this.#dirtyRecords, ([name, keys]) => {
      const changed = this.#records.get(name)
      return [name, Array.from(keys, (key) => changed?.get(key)).filter((record) => record !== undefined)] as const
    })
    const counters = Array.from(this.#dirtyCounters, (name) => [name, this.#counters.get(name) ?? 0] as const)
    const batch: Batch = {
      ...(this.#fresh && { replaced: this.replaced }),
      counters: Object.fromEntries(counters),
      records: Object.fromEntries(records.filter(([, list]) => list.length > 0)),
    }
    this.#fresh = false
    this.#dirtyCounters.clear()
    this.#dirtyRecords.clear()
    return batch
  }

  /** After a batch could not be stored: its records have been undone, but its counters never go back. */
  giveBack(batch: Batch): void {
    for (const name of Object.keys(batch.counters)) this.#dirtyCounters.add(name)
    this.#dirtyRecords.clear()
  }

  /**
   * Everything as it is now, in batches, the first of which begins anew; each has at most so many records, and ends with
   * the one that takes it over so many characters.
   */
  snapshot(size: number, length: number): Iterable<Batch> {
    const first: Batch = { replaced: this.replaced, counters: Object.fromEntries(this.#counters), records: {} }
    const lists = Array.from(this.#records, ([name, changed]) => [name, [...changed.values()]] as const)
    return (function* () {
      yield first
      for (const [name, records] of lists) {
        for (const part of partsOf(records, size, length)) yield { counters: {}, records: { [name]: part } }
      }
    })()
  }

  /** Adds a batch that was stored; `keyOf` gives the key of a record. */
  restore(batch: Batch, keyOf: (name: CollectionName, record: object) => string): void {
    for (const [name, number] of Object.entries(batch.counters)) this.#counters.set(name, number)
    for (const [name, records] of Object.entries(batch.records) as [CollectionName, readonly object[]][]) {
      const changed = this.recordsOf(name) as Map<string, object>
      for (const record of records) changed.set(keyOf(name, record), Object.freeze(record))
    }
  }
}

function* partsOf(records: readonly object[], size: number, length: number): Iterable<readonly object[]> {
  let [from, characters] = [0, 0]
  for (const [at, record] of records.entries()) {
    characters += lengthOf(record)
    if (at + 1 - from < size && characters < length) continue
    yield records.slice(from, at + 1)
    from = at + 1
    characters = 0
  }
  if (from < records.length) yield records.slice(from)
}

/** Characters of a record's own texts: what makes one long. */
function lengthOf(record: object): number {
  return Object.values(record).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
