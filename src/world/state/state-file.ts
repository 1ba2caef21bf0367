import { statSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { Fixtures } from '../../../schemas/fixtures.js'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { explainDepartures } from '../../validation/explain.js'
import { type Batch, Changes } from './changes.js'
import { keyOf } from './collections.js'
import { type Lock, takeLock } from './lock.js'
import { realFile } from './real-file.js'
import { type Decoded, decode, encode, HEADER_LENGTH, header } from './state-format.js'
import { StorageFailure } from './storage-failure.js'

/** Records in one line of a file that is written anew; the event loop turns between lines. */
const RECORDS_PER_LINE = 500
/** Bytes that may be appended, beyond what the contents take, before the file is written anew. */
const SLACK = 4 * 1024 * 1024
/** The state can hold tokens: nobody else may read it. */
const MODE = 0o600

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
  #handle: FileHandle | undefined
  #inode = 0
  #end = HEADER_LENGTH
  #check = 0
  /** The size, in bytes, from which the file is written anew. */
  #rewriteAt = SLACK

  private constructor(name: string, path: string, lock: Lock) {
    this.#name = name
    this.#path = path
    this.#lock = lock
  }

  /**
   * Takes the file for this process.
   * @throws {InvalidFiles} when another process has it, or its folder cannot be written
   */
  static async open(name: string): Promise<StateFile> {
    const path = await realFile(name)
    return new StateFile(name, path, await takeLock(name, path))
  }

  /** @throws {InvalidFiles} when the file is damaged or not a state file; it is left as it is */
  async read(): Promise<Changes | null> {
    const bytes = await this.#readBytes()
    if (bytes === undefined) return null
    const decoded = this.#decode(bytes)
    const changes = new Changes(decoded.batches.findLast(({ replaced }) => replaced !== undefined)?.replaced ?? null)
    const from = decoded.batches.findLastIndex(({ replaced }) => replaced !== undefined)
    for (const batch of decoded.batches.slice(Math.max(0, from))) changes.restore(batch, keyOf)
    await this.#adopt(decoded)
    if (decoded.batches.length > 1 || decoded.end < bytes.length) {
      await this.#rewrite(changes.snapshot(RECORDS_PER_LINE)).catch(() => {})
    }
    return changes
  }

  /** @throws {StorageFailure} when it cannot be written; then the file holds what it held before */
  async write(changes: Changes): Promise<void> {
    const batch = changes.takeBatch()
    try {
      if (this.#lock.isLost) throw new Error('another process has taken the file over')
      // Copied before anything else can change: a snapshot must not hold what is not in this batch.
      if (this.#isMissing()) await this.#rewrite(changes.snapshot(RECORDS_PER_LINE))
      else if (this.#end > this.#rewriteAt) await this.#rewriteOrAppend(changes.snapshot(RECORDS_PER_LINE), batch)
      else await this.#append(batch)
    } catch (error) {
      changes.giveBack(batch)
      throw new StorageFailure(
        `The change could not be stored in ${this.#name}: ${cause(error)}. It has been undone; make ${dirname(this.#name)} writable, with room for the file, and send it again.`,
      )
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    await this.#lock.release()
  }

  async #readBytes(): Promise<Buffer | undefined> {
    try {
      const bytes = await readFile(this.#path)
      return bytes.length === 0 ? undefined : bytes
    } catch (error) {
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

  /** Goes on where a file that was read ends; what was torn is cut off. */
  async #adopt({ end, check }: Decoded): Promise<void> {
    this.#handle = await open(this.#path, 'r+')
    this.#inode = (await this.#handle.stat()).ino
    await this.#handle.truncate(end)
    this.#end = end
    this.#check = check
    this.#rewriteAt = 2 * end + SLACK
  }

  /** Whether there is no file yet, or it has been deleted. */
  #isMissing(): boolean {
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino
    if (inode === undefined) return true
    if (inode === this.#inode) return false
    throw new Error('another program has put a file in its place')
  }

  async #append(batch: Batch): Promise<void> {
    const { line, check } = encode(batch, this.#check)
    const handle = this.#handle as FileHandle
    const [last, end] = [this.#end, this.#end + line.length]
    try {
      await writeAll(handle, line, last)
      await handle.datasync()
      await writeAll(handle, header({ last, end }), 0)
    } catch (error) {
      // What stands there in part must not be taken for a torn line once more has been appended.
      await writeAll(handle, header({ last, end: last }), 0).catch(() => {})
      await handle.truncate(last)
      throw error
    }
    this.#end = end
    this.#check = check
  }

  /** Where there is no room for a second file, that is tried again when this one has grown further. */
  async #rewriteOrAppend(snapshot: Iterable<Batch>, batch: Batch): Promise<void> {
    try {
      await this.#rewrite(snapshot)
    } catch {
      await this.#append(batch)
      this.#rewriteAt = 2 * this.#end + SLACK
    }
  }

  /** Writes a file of the contents alone beside the file, and puts it in its place. */
  async #rewrite(snapshot: Iterable<Batch>): Promise<void> {
    const temporary = `${this.#path}.new`
    const mode = await stat(this.#path).then(
      (found) => found.mode & 0o777,
      () => MODE,
    )
    await unlink(temporary).catch(() => {})
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.chmod(mode)
      const { end, check } = await writeSnapshot(handle, snapshot)
      await rename(temporary, this.#path)
      await this.#handle?.close()
      this.#handle = handle
      this.#inode = (await handle.stat()).ino
      this.#end = end
      this.#check = check
      this.#rewriteAt = 2 * end + SLACK
    } catch (error) {
      await handle.close()
      await unlink(temporary).catch(() => {})
      throw error
    }
  }

  #unusable(why: string): InvalidFiles {
    const message = `The state cannot be used: ${why}. The file is left as it is: repair it, move it away, or name another with --persist.`
    return new InvalidFiles([{ file: this.#name, message }])
  }
}

async function writeSnapshot(handle: FileHandle, snapshot: Iterable<Batch>): Promise<{ end: number; check: number }> {
  let [end, check] = [HEADER_LENGTH, 0]
  for (const batch of snapshot) {
    const encoded = encode(batch, check)
    await writeAll(handle, encoded.line, end)
    end += encoded.line.length
    check = encoded.check
    await nextTurn()
  }
  // Nothing of it can be torn: it takes its place when it is whole.
  await writeAll(handle, header({ last: end, end }), 0)
  await handle.datasync()
  return { end, check }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
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
