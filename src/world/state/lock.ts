import { futimesSync } from 'node:fs'
import { type FileHandle, unlink } from 'node:fs/promises'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { type FileStamp, isAsStamped, lookAt, stampOf } from './file-stamp.js'
import { readLock, replaceLock } from './lock-claim.js'
import { HEARTBEAT, type Holder, livesHere, newHolder, parseHolder, showsLife } from './lock-holder.js'
import { Refusal } from './storage-failure.js'

/** A file that is held by this process until it is released. */
export interface Lock {
  /** Whether it is known to be held still; else `hold` finds out. */
  readonly isHeld: boolean
  /**
   * Takes the lock again where it was deleted.
   * @throws {Refusal} when another process has taken the file, as when this one was stopped for long
   */
  hold(): Promise<void>
  release(): Promise<void>
}

/**
 * Takes the lock beside a file; a lock that was left by a dead process is taken over. `name` is what the user calls the
 * file, `path` where it is.
 * @throws {InvalidFiles} when a living process holds it, or it cannot be written
 */
export async function takeLock(name: string, path: string): Promise<Lock> {
  const file = `${path}.lock`
  const own = await newHolder()
  try {
    for (;;) {
      const text = await readLock(file)
      const holder = parseHolder(text ?? '')
      if (holder !== undefined && ((await livesHere(holder, own.place)) ?? (await showsLife(file))))
        throw heldBy(name, holder.pid)
      // Where another process was first, that one is looked at.
      const handle = await replaceLock(file, text, own)
      if (handle !== undefined) return new HeldLock(file, own, handle)
    }
  } catch (error) {
    if (error instanceof InvalidFiles) throw error
    const message = `The state's lock cannot be written: ${fileErrorReason(error)}. Name a file in a folder that exists and can be written with --persist.`
    throw new InvalidFiles([{ file: name, message }])
  }
}

class HeldLock implements Lock {
  readonly #file: string
  readonly #own: Holder
  readonly #heartbeat: NodeJS.Timeout
  /** Open as long as it is held: so no other file gets its inode's number. */
  #handle: FileHandle
  #stamp: FileStamp
  #taking: Promise<void> | undefined
  #released = false

  constructor(file: string, own: Holder, handle: FileHandle) {
    this.#file = file
    this.#own = own
    this.#handle = handle
    this.#stamp = stampOf(handle.fd)
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT).unref()
  }

  get isHeld(): boolean {
    const found = lookAt(this.#file)
    return found !== undefined && isAsStamped(found, this.#stamp)
  }

  async hold(): Promise<void> {
    if (this.isHeld) return
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined
    })
    await this.#taking
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.#released = true
    await this.#taking?.catch(() => {})
    if (this.#isOwn(await readLock(this.#file).catch(() => undefined))) await unlink(this.#file).catch(() => {})
    await this.#handle.close()
  }

  /** Whatever goes wrong here is tried again later; a write says what it is. */
  async #beat(): Promise<void> {
    try {
      await this.hold()
      if (this.#released) return
      const now = new Date()
      futimesSync(this.#handle.fd, now, now)
      this.#stamp = stampOf(this.#handle.fd)
    } catch {}
  }

  async #take(): Promise<void> {
    const text = await readLock(this.#file)
    if (!this.#released && (text === undefined || this.#isOwn(text))) {
      const handle = await replaceLock(this.#file, text, this.#own)
      if (handle !== undefined) {
        await this.#handle.close()
        this.#handle = handle
        this.#stamp = stampOf(handle.fd)
        return
      }
    }
    throw new Refusal(
      'another process has taken the file over',
      'stop one of the two servers, or have it use another file, and restart this server',
    )
  }

  #isOwn(text: string | undefined): boolean {
    return text !== undefined && parseHolder(text)?.lock === this.#own.lock
  }
}

function heldBy(file: string, pid: number): InvalidFiles {
  return new InvalidFiles([
    {
      file,
      message: `The state is in use by the process ${pid}. Stop that one, or name another file with --persist: two servers on one file would lose changes.`,
    },
  ])
}
