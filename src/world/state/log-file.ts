import { readFileSync } from 'node:fs'
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Batch } from './changes.js'
import { type FileStamp, holds, isSameFile, lookAt, stampOf } from './file-stamp.js'
import { type Decoded, decode, encode, HEADER_LENGTH, header } from './state-format.js'
import { Refusal } from './storage-failure.js'

/** Bytes that may be appended, beyond what the contents take, before the file is written anew. */
const SLACK = 4 * 1024 * 1024
/** The state can hold tokens: nobody else may read it. */
const MODE = 0o600
const EMPTY = Buffer.alloc(0)
/** Bytes before the end that are looked at again once something stands behind them. */
const TAIL = 64

/** A file that batches are appended to, and that is written anew when it has outgrown its contents. */
export class LogFile {
  readonly #path: string
  #handle: FileHandle | undefined
  /** How this process left the file; undefined while there is none of its own. */
  #stamp: FileStamp | undefined
  /** Its first and its last bytes. */
  #header: Buffer = EMPTY
  #tail: Buffer = EMPTY
  #end = HEADER_LENGTH
  #check = 0
  /** The size, in bytes, from which the file is written anew. */
  #rewriteAt = SLACK

  /** `path`: where the file is, or will be; no symbolic link. */
  constructor(path: string) {
    this.#path = path
  }

  /** Goes on where a file of these bytes ends; what was torn is cut off. */
  async adopt(bytes: Buffer, { end, check }: Decoded): Promise<void> {
    const handle = await open(this.#path, 'r+')
    this.#handle = handle
    if (end < bytes.length) {
      // The header first: it may have counted what is cut off.
      await writeAll(handle, header({ last: end, end }), 0)
      await handle.truncate(end)
    }
    const written = end < bytes.length ? header({ last: end, end }) : bytes.subarray(0, HEADER_LENGTH)
    this.#use(handle, { header: Buffer.from(written), tail: tailOf(bytes.subarray(0, end)), end, check })
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  /**
   * Stores a batch: appended, or the file written anew from a snapshot. That is taken at once, before anything else can
   * change: a snapshot must not hold what is not in this batch.
   * @throws {Refusal} when another program has been at the file, which is left alone then
   */
  async put(batch: Batch, snapshot: () => Iterable<Batch>): Promise<void> {
    if (this.#isVacant()) await this.rewrite(snapshot())
    else if (this.#end > this.#rewriteAt) await this.#rewriteOrAppend(snapshot(), batch)
    else await this.#append(batch)
  }

  /** Writes a file of a snapshot alone beside the file, and puts it in its place. */
  async rewrite(snapshot: Iterable<Batch>): Promise<void> {
    const temporary = `${this.#path}.new`
    const mode = await stat(this.#path).then(
      (found) => found.mode & 0o777,
      () => MODE,
    )
    await unlink(temporary).catch(() => {})
    const handle = await open(temporary, 'wx+', mode)
    try {
      await handle.chmod(mode)
      const written = await writeSnapshot(handle, snapshot)
      // What another program has put there meanwhile must not be replaced.
      this.#isVacant()
      await rename(temporary, this.#path)
      await this.#handle?.close().catch(() => {})
      this.#use(handle, written)
    } catch (error) {
      await handle.close()
      await unlink(temporary).catch(() => {})
      throw error
    }
  }

  /**
   * Whether there is nothing to lose at the path: no file, or an empty one. The clock of a file is only a hint, as of one
   * that was touched; then its contents are looked at.
   * @throws {Refusal} when what is there is not what this process wrote
   */
  #isVacant(): boolean {
    const found = lookAt(this.#path)
    if (found === undefined || (found.isFile() && found.size === 0n)) return true
    if (this.#stamp === undefined || !isSameFile(found, this.#stamp)) throw refusals.replaced()
    if (found.size !== this.#stamp.size) throw refusals.changed()
    if (found.mtimeNs !== this.#stamp.mtimeNs) {
      if (!this.#isAsWritten()) throw refusals.changed()
      this.#stamp = found
    }
    return false
  }

  #isAsWritten(): boolean {
    try {
      const { end, check } = decode(readFileSync(this.#path))
      return end === this.#end && check === this.#check
    } catch {
      return false
    }
  }

  /** Appends a batch; when that fails, the file holds what it held before. */
  async #append(batch: Batch): Promise<void> {
    const { line, check } = encode(batch, this.#check)
    const handle = this.#handle as FileHandle
    const [last, end] = [this.#end, this.#end + line.length]
    try {
      await writeAll(handle, line, last)
      await handle.datasync()
      this.#requireOwn(handle, line)
      await writeAll(handle, header({ last, end }), 0)
    } catch (error) {
      if (error instanceof Refusal) throw error
      // What stands there in part must not be taken for a torn line once more has been appended.
      await writeAll(handle, header({ last, end: last }), 0).catch(() => {})
      await handle.truncate(last).catch(() => {})
      this.#header = header({ last, end: last })
      this.#stamp = stampOf(handle.fd, last)
      throw error
    }
    this.#header = header({ last, end })
    this.#tail = tailOf(line)
    this.#stamp = stampOf(handle.fd, end)
    this.#end = end
    this.#check = check
  }

  /** Another program may have been at the file while a line was written: then the line stands behind a hole, or nowhere. */
  #requireOwn({ fd }: FileHandle, line: Buffer): void {
    const end = this.#end + line.length
    const found = lookAt(this.#path)
    if (found !== undefined && !isSameFile(found, this.#stamp as FileStamp)) throw refusals.replaced()
    const joint = Buffer.concat([this.#tail, line.subarray(0, TAIL)])
    const isWhole =
      found?.size === BigInt(end) &&
      holds(fd, this.#header, 0) &&
      holds(fd, joint, this.#end - this.#tail.length) &&
      holds(fd, line.subarray(-TAIL), end - Math.min(TAIL, line.length))
    if (isWhole) return
    // Whatever it looks like the next time, it is not what this process wrote.
    this.#stamp = { ...(this.#stamp as FileStamp), size: -1n }
    throw refusals.changed()
  }

  /** Appends where there is no room for a second file; that is tried again later. */
  async #rewriteOrAppend(snapshot: Iterable<Batch>, batch: Batch): Promise<void> {
    try {
      await this.rewrite(snapshot)
    } catch (error) {
      if (error instanceof Refusal) throw error
      await this.#append(batch)
      this.#rewriteAt = 2 * this.#end + SLACK
    }
  }

  #use(handle: FileHandle, { header, tail, end, check }: Written): void {
    this.#handle = handle
    this.#header = header
    this.#tail = tail
    this.#stamp = stampOf(handle.fd, end)
    this.#end = end
    this.#check = check
    this.#rewriteAt = 2 * end + SLACK
  }
}

const AWAY = 'move the file away and send it again: all that was stored is then written to a new one'
const refusals = {
  replaced: () => new Refusal('another program has put a file in its place', AWAY),
  changed: () => new Refusal('another program has changed it', AWAY),
}

/** What stands in a file. */
interface Written {
  readonly header: Buffer
  readonly tail: Buffer
  readonly end: number
  readonly check: number
}

/** Copied: it is kept, and the rest is not. */
function tailOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(-TAIL))
}

async function writeSnapshot(handle: FileHandle, snapshot: Iterable<Batch>): Promise<Written> {
  let [end, check] = [HEADER_LENGTH, 0]
  let tail: Buffer = EMPTY
  for (const batch of snapshot) {
    const encoded = encode(batch, check)
    await writeAll(handle, encoded.line, end)
    end += encoded.line.length
    check = encoded.check
    tail = tailOf(encoded.line)
    await nextTurn()
  }
  // Nothing of it can be torn: it takes its place when it is whole.
  const first = header({ last: end, end })
  await writeAll(handle, first, 0)
  await handle.datasync()
  return { header: first, tail, end, check }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
