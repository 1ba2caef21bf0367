import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { TextFile } from 'lowdb/node'
import { type CollectionName, Fixtures } from '../../../schemas/fixtures.js'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { explainDepartures } from '../../validation/explain.js'
import { collectionNames, keyOf } from './collections.js'
import { type Lock, takeLock } from './lock.js'
import { StorageFailure } from './storage-failure.js'
import type { Changes } from './store.js'

const KIND = 'countersign state'

/** The file as it is written: only what has changed since the fixtures. */
interface Written {
  readonly kind: typeof KIND
  readonly version: 1
  readonly counters: Record<string, number>
  readonly replaced: Fixtures | null
  readonly records: Partial<Record<CollectionName, readonly object[]>>
}

/** A lowdb adapter for a world's changes: one JSON file, replaced as a whole, held by one process at a time. */
export class StateFile implements Adapter<Changes> {
  readonly #file: string
  readonly #text: TextFile
  readonly #lock: Lock

  private constructor(file: string, lock: Lock) {
    this.#file = file
    this.#text = new TextFile(file)
    this.#lock = lock
  }

  /**
   * Takes the file for this process.
   * @throws {InvalidFiles} when another process has it, or its folder cannot be written
   */
  static async open(file: string): Promise<StateFile> {
    return new StateFile(file, await takeLock(file))
  }

  /** @throws {InvalidFiles} when the file is damaged or somebody else's; it is left alone */
  async read(): Promise<Changes | null> {
    let text: string | null
    try {
      text = await this.#text.read()
    } catch (error) {
      throw this.#unusable(`it cannot be read: ${fileErrorReason(error)}`)
    }
    if (text === null) return null
    return this.#parse(text)
  }

  /** @throws {StorageFailure} when the file cannot be written; what it held before is untouched */
  async write({ counters, replaced, records }: Changes): Promise<void> {
    const lists = [...records]
      .filter(([, changed]) => changed.size > 0)
      .map(([name, changed]) => [name, [...changed.values()]])
    const written: Written = { kind: KIND, version: 1, counters, replaced, records: Object.fromEntries(lists) }
    try {
      await this.#text.write(JSON.stringify(written))
    } catch (error) {
      throw new StorageFailure(
        `The change could not be stored in ${this.#file}: ${cause(error)}. It has been undone; make ${dirname(this.#file)} writable, with room for the file, and send it again.`,
      )
    }
  }

  async close(): Promise<void> {
    await this.#lock.release()
  }

  #parse(text: string): Changes {
    let data: Partial<Written>
    try {
      data = JSON.parse(text)
    } catch (error) {
      throw this.#unusable(`it is damaged: ${(error as Error).message}`)
    }
    if (typeof data !== 'object' || data === null || data.kind !== KIND)
      throw this.#unusable(`it is not a state file: its kind is not '${KIND}'`)
    if (data.version !== 1)
      throw this.#unusable(`its version is ${JSON.stringify(data.version)}, and this countersign reads 1`)
    const { counters, replaced = null, records = {} } = data
    if (!isCounters(counters)) throw this.#unusable("its 'counters' are not numbers by name")
    for (const fixtures of [records, replaced ?? {}]) {
      const [first] = explainDepartures(Fixtures, fixtures)
      if (first !== undefined) throw this.#unusable(first.replace(/\.$/, ''))
    }
    const maps = collectionNames
      .filter((name) => records[name] !== undefined)
      .map((name) => [name, byKey(name, records[name] as readonly object[])] as const)
    return { counters, replaced, records: new Map(maps) }
  }

  #unusable(why: string): InvalidFiles {
    const message = `The state cannot be used: ${why}. The file is left as it is: repair it, move it away, or name another with --persist.`
    return new InvalidFiles([{ file: this.#file, message }])
  }
}

function isCounters(value: unknown): value is Record<string, number> {
  return typeof value === 'object' && value !== null && Object.values(value).every(Number.isSafeInteger)
}

function byKey(name: CollectionName, records: readonly object[]): Map<string, object> {
  return new Map(records.map((record) => [keyOf(name, record), Object.freeze(record)]))
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
}

function cause(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return CAUSES[code ?? ''] ?? message
}
