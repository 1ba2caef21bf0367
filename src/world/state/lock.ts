import { randomUUID } from 'node:crypto'
import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'

/** A file that is held by this process until it is released. */
export interface Lock {
  release(): Promise<void>
}

/** Who holds a lock. */
interface Holder {
  readonly pid: number
  /** When that process began, where the system tells: process ids are used again. */
  readonly began: string
  /** This lock's own name. */
  readonly lock: string
}

/** Distinguishes this process from an earlier one with the same id, as in a container that was restarted. */
const processName = randomUUID()

/**
 * Takes the lock beside a file; one left by a process that has died is taken over.
 * @throws {InvalidFiles} when a living process holds it, or it cannot be written
 */
export async function takeLock(file: string): Promise<Lock> {
  const path = `${file}.lock`
  const own: Holder = { pid: process.pid, began: await beganOf(process.pid), lock: `${processName} ${randomUUID()}` }
  if (!(await create(path, own))) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const holder = parse(text)
    if (holder !== undefined && (await lives(holder))) throw held(file, holder.pid)
    if (!(await takeOver(path, text)) || !(await create(path, own))) throw held(file, holder?.pid)
  }
  return {
    release: async () => {
      const holder = parse(await readFile(path, 'utf8').catch(() => ''))
      if (holder?.lock === own.lock) await unlink(path).catch(() => {})
    },
  }
}

async function create(path: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(own), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new InvalidFiles([
      {
        file: path,
        message: `The state's lock cannot be written: ${fileErrorReason(error)}. Name a file in a folder that exists and can be written with --persist.`,
      },
    ])
  }
}

/** Moves a dead process's lock away; false when another process has taken the lock meanwhile. */
async function takeOver(path: string, expected: string): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return false
  }
  const moved = await readFile(aside, 'utf8')
  if (moved === expected) {
    await unlink(aside)
    return true
  }
  await rename(aside, path)
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

async function lives({ pid, began, lock }: Holder): Promise<boolean> {
  if (pid === process.pid) return lock.startsWith(processName)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Another user's process lives too.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return (await beganOf(pid)) === began
}

/** The 22nd field of /proc/PID/stat; empty on systems without. */
async function beganOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
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
