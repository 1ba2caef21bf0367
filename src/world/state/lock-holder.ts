import { randomUUID } from 'node:crypto'
import { readFile, readlink, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Who holds a lock, or claims it. */
export interface Holder {
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

/** Milliseconds between two signs of life in a lock. */
export const HEARTBEAT = 500
/** Milliseconds without one after which a holder that cannot be looked up is taken for dead. */
export const PATIENCE = 2_500

/** This process, as the holder of a new lock. */
export async function newHolder(): Promise<Holder> {
  const [began, place] = await Promise.all([beganOf(process.pid), placeOf()])
  return { pid: process.pid, began, place, lock: `${processName} ${randomUUID()}` }
}

/** The holder that a lock names; undefined where it names none. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

/** Whether a holder lives; undefined where process ids do not tell, as in another container. */
export async function livesHere({ pid, began, place, lock }: Holder, here: string): Promise<boolean | undefined> {
  if (place !== here) return undefined
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
export async function showsLife(file: string): Promise<boolean> {
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
