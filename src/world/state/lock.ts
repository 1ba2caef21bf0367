import { randomUUID } from 'node:crypto'
import { readFile, readlink, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'

/** A file that is held by this process until it is released. */
export interface Lock {
  /** Whether another process has taken the file, as when this one was stopped for long. */
  readonly isLost: boolean
  release(): Promise<void>
}

/** Who holds a lock. */
interface Holder {
  readonly pid: number
  /** When that process began, where the system says so: process ids are used again. */
  readonly began: string
  /** The host and the container: process ids say nothing elsewhere. */
  readonly place: string
  /** This lock's own name. */
  readonly lock: string
}

/** Distinguishes this process from an earlier one with the same id, as in a container that was restarted. */
const processName = randomUUID()

/** Milliseconds between two signs of life in the lock. */
const HEARTBEAT = 500
/** Milliseconds without one after which a holder that cannot be looked up is taken for dead. */
const PATIENCE = 2_500

/**
 * Takes the lock beside a file; a lock that was left by a dead process is taken over. `name` is what the user calls the
 * file, `path` where it is.
 * @throws {InvalidFiles} when a living process holds it, or it cannot be written
 */
export async function takeLock(name: string, path: string): Promise<Lock> {
  const file = `${path}.lock`
  const own: Holder = {
    pid: process.pid,
    began: await beganOf(process.pid),
    place: await placeOf(),
    lock: `${processName} ${randomUUID()}`,
  }
  if (!(await create(file, own))) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const holder = parse(text)
    if (holder !== undefined && (await lives(holder, own.place, file))) throw held(name, holder.pid)
    if (!(await takeOver(file, text)) || !(await create(file, own))) throw held(name, holder?.pid)
  }
  return new HeldLock(file, own.lock)
}

class HeldLock implements Lock {
  readonly #file: string
  readonly #lock: string
  readonly #heartbeat: NodeJS.Timeout
  #lost = false

  constructor(file: string, lock: string) {
    this.#file = file
    this.#lock = lock
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT).unref()
  }

  get isLost(): boolean {
    return this.#lost
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat)
    if (await this.#isOwn()) await unlink(this.#file).catch(() => {})
  }

  async #beat(): Promise<void> {
    this.#lost = !(await this.#isOwn())
    const now = new Date()
    if (!this.#lost) await utimes(this.#file, now, now).catch(() => {})
  }

  async #isOwn(): Promise<boolean> {
    return parse(await readFile(this.#file, 'utf8').catch(() => ''))?.lock === this.#lock
  }
}

async function create(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(own), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    const message = `The state's lock cannot be written: ${fileErrorReason(error)}. Name a file in a folder that exists and can be written with --persist.`
    throw new InvalidFiles([{ file, message }])
  }
}

/** Moves a dead process's lock away; false when another process has taken the lock meanwhile. */
async function takeOver(file: string, expected: string): Promise<boolean> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch {
    return false
  }
  const moved = await readFile(aside, 'utf8')
  if (moved === expected) {
    await unlink(aside)
    return true
  }
  await rename(aside, file)
  return false
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

async function lives({ pid, began, place, lock }: Holder, here: string, file: string): Promise<boolean> {
  if (place !== here) return showsLife(file)
  if (pid === process.pid) return lock.startsWith(processName)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Another user's process lives too.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return (await beganOf(pid)) === began
}

/** Whether the holder of a lock, on another host or in another container, gives a sign of life. */
async function showsLife(file: string): Promise<boolean> {
  const time = async () => (await stat(file).catch(() => undefined))?.mtimeMs
  const before = await time()
  for (let waited = 0; waited < PATIENCE; waited += HEARTBEAT / 2) {
    await sleep(HEARTBEAT / 2)
    if ((await time()) !== before) return true
  }
  return false
}

/** The 22nd field of /proc/PID/stat; empty on systems without. */
async function beganOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** The host and, where the system has them, the namespace of process ids: it tells containers apart. */
async function placeOf(): Promise<string> {
  return `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`
}

function held(file: string, pid: number | undefined): InvalidFiles {
  const who = pid === undefined ? 'another process' : `the process ${pid}`
  return new InvalidFiles([
    {
      file,
      message: `The state is in use by ${who}. Stop that one, or name another file with --persist: two servers on one file would lose changes.`,
    },
  ])
}
