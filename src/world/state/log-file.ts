import { statSync } from 'node:fs'
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Batch } from './changes.js'
import { type Decoded, encode, HEADER_LENGTH, header } from './state-format.js'

/** Bytes that may be appended, beyond what the contents take, before the file is written anew. */
const SLACK = 4 * 1024 * 1024
/** The state can hold tokens: nobody else may read it. */
const MODE = 0o600

/** A file that batches are appended to, and that is written anew when it has outgrown its contents. */
export class LogFile {
  readonly #path: string
  #handle: FileHandle | undefined
  #inode = 0
  #end = HEADER_LENGTH
  #check = 0
  /** The size, in bytes, from which the file is written anew. */
  #rewriteAt = SLACK

  /** `path`: where the file is, or will be; no symbolic link. */
  constructor(path: string) {
    this.#path = path
  }

  /** Goes on where a file that was read ends; what was torn is cut off. */
  async adopt({ end, check }: Decoded): Promise<void> {
    await this.#use(await open(this.#path, 'r+'), end, check)
    await this.#handle?.truncate(end)
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  /** Whether it has outgrown its contents. */
  get isLarge(): boolean {
    return this.#end > this.#rewriteAt
  }

  /**
   * Whether there is no file yet, or it has been deleted.
   * @throws {Error} when there is another file in its place
   */
  get isMissing(): boolean {
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino
    if (inode === undefined) return true
    if (inode === this.#inode) return false
    throw new Error('another program has put a file in its place')
  }

  /** Appends a batch; when that fails, the file holds what it held before. */
  async append(batch: Batch): Promise<void> {
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

  /** Writes the file anew, or appends where there is no room for a second file; that is tried again later. */
  async rewriteOrAppend(snapshot: Iterable<Batch>, batch: Batch): Promise<void> {
    try {
      await this.rewrite(snapshot)
    } catch {
      await this.append(batch)
      this.#rewriteAt = 2 * this.#end + SLACK
    }
  }

  /** Writes a file of a snapshot alone beside the file, and puts it in its place. */
  async rewrite(snapshot: Iterable<Batch>): Promise<void> {
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
      await this.#handle?.close().catch(() => {})
      await this.#use(handle, end, check)
    } catch (error) {
      await handle.close()
      await unlink(temporary).catch(() => {})
      throw error
    }
  }

  async #use(handle: FileHandle, end: number, check: number): Promise<void> {
    this.#handle = handle
    this.#inode = (await handle.stat()).ino
    this.#end = end
    this.#check = check
    this.#rewriteAt = 2 * end + SLACK
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
