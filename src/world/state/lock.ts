import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two signs of life. */
const HEARTBEAT = 500
/** Milliseconds without one after which a holder is taken for dead. */
const PATIENCE = 2_500
/** Milliseconds in which another process that took over at the same time shows itself. */
const SETTLING = 250

/** Why a file is not written, and what helps, both as parts of a sentence. */
export class Refusal extends Error {
  readonly remedy: string

  constructor(why: string, remedy: string) {
    super(why)
    this.remedy = remedy
  }
}

/** Another process holds the file. */
export class HeldElsewhere extends Error {
  readonly pid: string

  constructor(pid: string) {
    super(`held by the process ${pid}`)
    this.pid = pid
  }
}

/**
 * Holds a file for this process: a folder beside it, with a file that names the holder and is touched again and again.
 * Process ids do not tell who lives, since in containers every server may be process 1. Calls are synchronous, so that
 * nothing comes between a look and what rests on it.
 */
export class Lock {
  /** For files on their way; nobody but their owner may look into it. */
  readonly folder: string
  readonly #holder: string
  readonly #own = JSON.stringify({ pid: process.pid, token: randomUUID() })
  #heartbeat: NodeJS.Timeout | undefined

  private constructor(folder: string) {
    this.folder = folder
    this.#holder = join(folder, 'holder.json')
  }

  /**
   * Takes a lock; one that was left by a dead process is taken over.
   * @throws {HeldElsewhere} when a living process holds it
   */
  static async take(folder: string): Promise<Lock> {
    const lock = new Lock(folder)
    while (!lock.#make()) {
      const left = await lock.#silent()
      if (left === undefined || lock.#seen() !== left) continue
      writeFileSync(lock.#holder, lock.#own)
      await sleep(SETTLING)
      if (lock.#read() === lock.#own) break
    }
    lock.#heartbeat = setInterval(() => lock.#beat(), HEARTBEAT).unref()
    return lock
  }

  /**
   * Makes sure that this process still holds it; a lock that was deleted is made again.
   * @throws {Refusal} when another process has taken it, as when this one was stopped for long
   */
  hold(): void {
    if (this.#read() === this.#own || this.#make()) return
    throw new Refusal(
      'another process has taken over the file',
      'stop one of the two servers, or have it use another file, and restart this server',
    )
  }

  release(): void {
    clearInterval(this.#heartbeat)
    try {
      if (this.#read() !== this.#own) return
      // Moved first: another process may make a lock of its own while this one is removed.
      const away = `${this.folder}.${process.pid}`
      renameSync(this.folder, away)
      rmSync(away, { recursive: true })
    } catch {
      // One that cannot be removed is taken over, as that of a dead process.
    }
  }

  /** Makes a lock where there is none; false where there is one. */
  #make(): boolean {
    attempt(() => mkdirSync(this.folder, { mode: 0o700 }), 'EEXIST')
    // The folder goes again where its last holder is just about to release it.
    return attempt(() => writeFileSync(this.#holder, this.#own, { flag: 'wx' }), 'EEXIST', 'ENOENT') !== undefined
  }

  /** What a holder left that gives no sign of life; undefined where the lock was released. */
  async #silent(): Promise<string | undefined> {
    const before = this.#seen()
    for (let waited = 0; waited < PATIENCE && before !== undefined; waited += HEARTBEAT / 2) {
      await sleep(HEARTBEAT / 2)
      const now = this.#seen()
      if (now === undefined) return undefined
      if (now !== before) throw new HeldElsewhere(/"pid":(\d+)/.exec(now)?.[1] ?? 'another')
    }
    return before
  }

  /** What the lock says, and when it was last touched. */
  #seen(): string | undefined {
    return attempt(() => `${statSync(this.#holder).mtimeMs} ${this.#read()}`, 'ENOENT')?.result
  }

  #read(): string | undefined {
    return attempt(() => readFileSync(this.#holder, 'utf8'), 'ENOENT')?.result
  }

  /** Whatever goes wrong here is tried again later; a write says what it is. */
  #beat(): void {
    try {
      this.hold()
      const now = new Date()
      utimesSync(this.#holder, now, now)
    } catch {}
  }
}

/** What a call gives; undefined where it fails in an expected way. */
function attempt<T>(call: () => T, ...expected: readonly string[]): { readonly result: T } | undefined {
  try {
    return { result: call() }
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
