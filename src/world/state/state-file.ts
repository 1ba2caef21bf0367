import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { Fixtures } from '../../../schemas/fixtures.js'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { explainDepartures } from '../../validation/explain.js'
import { type Batch, Changes } from './changes.js'
import { keyOf } from './collections.js'
import { kindOf } from './file-kind.js'
import { type Lock, takeLock } from './lock.js'
import { LogFile } from './log-file.js'
import { realFile } from './real-file.js'
import { type Decoded, decode } from './state-format.js'
import { Refusal, StorageFailure } from './storage-failure.js'

/** Records in one line of a file that is written anew; the event loop turns between lines. */
const RECORDS_PER_LINE = 500
/** Characters after which a line ends sooner: a text can only be so long, and a thousand images are longer. */
const LENGTH_OF_LINE = 4_000_000

/**
 * A lowdb adapter that keeps a world's changes in a file. What is new is appended (docs/decisions/008); the file is
 * held by one process at a time.
 */
export class StateFile implements Adapter<Changes> {
  /** As the user named it. */
  readonly #name: string
  /** Where it is, symbolic links resolved. */
  readonly #path: string
  readonly #lock: Lock
  readonly #log: LogFile

  private constructor(name: string, path: string, lock: Lock) {
    this.#name = name
    this.#path = path
    this.#lock = lock
    this.#log = new LogFile(path)
  }

  /**
   * Takes the file for this process; `name` is how the user wrote it.
   * @throws {InvalidFiles} when another process has it, or its folder cannot be written
   */
  static async open(file: string, name = file): Promise<StateFile> {
    const path = await realFile(file)
    return new StateFile(name, path, await takeLock(name, path))
  }

  /** @throws {InvalidFiles} when the file is damaged or not a state file; it is left as it is */
  async read(): Promise<Changes | null> {
    const bytes = await this.#readBytes()
    if (bytes === undefined) return null
    const decoded = this.#decode(bytes)
    const { batches, end } = decoded
    const from = batches.findLastIndex(({ replaced }) => replaced !== undefined)
    const changes = new Changes(batches[from]?.replaced ?? null)
    for (const batch of batches.slice(Math.max(0, from))) changes.restore(batch, keyOf)
    await this.#log.adopt(bytes, decoded)
    // A file that there is no room to write anew serves as it is.
    if (batches.length > 1 || end < bytes.length)
      await this.#log.rewrite(changes.snapshot(RECORDS_PER_LINE, LENGTH_OF_LINE)).catch(() => {})
    return changes
  }

  /** @throws {StorageFailure} when it cannot be written; then the file holds what it held before */
  async write(changes: Changes): Promise<void> {
    const batch = changes.takeBatch()
    try {
      await this.#put(batch, () => changes.snapshot(RECORDS_PER_LINE, LENGTH_OF_LINE))
    } catch (error) {
      changes.giveBack(batch)
      throw new StorageFailure(
        `The change could not be stored in ${this.#name}: ${cause(error)}. It has been undone; ${this.#remedy(error)}.`,
      )
    }
  }

  async close(): Promise<void> {
    await this.#log.close()
    await this.#lock.release()
  }

  /** Where the lock has to be seen to first, the snapshot is taken now: it must not hold what is not in this batch. */
  async #put(batch: Batch, snapshot: () => Iterable<Batch>): Promise<void> {
    if (this.#lock.isHeld) return this.#log.put(batch, snapshot)
    const now = snapshot()
    await this.#lock.hold()
    await this.#log.put(batch, () => now)
  }

  async #readBytes(): Promise<Buffer | undefined> {
    try {
      const kind = kindOf(await stat(this.#path))
      if (kind !== undefined) throw this.#unusable(`it is ${kind}, no file`)
      const bytes = await readFile(this.#path)
      return bytes.length === 0 ? undefined : bytes
    } catch (error) {
      if (error instanceof InvalidFiles) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw this.#unusable(`it cannot be read: ${fileErrorReason(error)}`)
    }
  }

  #decode(bytes: Buffer): Decoded {
    let decoded: Decoded
    try {
      decoded = decode(bytes)
    } catch (error) {
      throw this.#unusable((error as Error).message)
    }
    for (const { records, replaced } of decoded.batches) {
      const [departure] = [records, replaced ?? {}].flatMap((fixtures) => explainDepartures(Fixtures, fixtures))
      if (departure !== undefined) throw this.#unusable(departure.replace(/\.$/, ''))
    }
    return decoded
  }

  #remedy(error: unknown): string {
    if (error instanceof Refusal) return error.remedy
    return `make ${dirname(this.#name)} writable, with room for the file, and send it again`
  }

  #unusable(why: string): InvalidFiles {
    const message = `The state cannot be used: ${why}. The file is left as it is: repair it, move it away, or name another with --persist.`
    return new InvalidFiles([{ file: this.#name, message }])
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
}

function cause(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return CAUSES[code ?? ''] ?? message
}
