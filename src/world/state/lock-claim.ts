import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kindOf } from './file-kind.js'
import { type Holder, livesHere, PATIENCE, parseHolder } from './lock-holder.js'

/** What a lock says; undefined where there is none. @throws {Error} where something else stands */
export async function readLock(file: string): Promise<string | undefined> {
  try {
    const kind = kindOf(await stat(file))
    if (kind !== undefined) throw new Error(`it is ${kind}, no file: move it away`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Puts a lock in the place of one that says `expected`, or of none; undefined when another process was first.
 *
 * A lock has one name for all, so to look at it and then to replace it is no single step: another process may have
 * replaced it in between. So each first makes a claim, a file with a name that nobody else ever uses, and goes on only
 * when it sees no other: of two that overlap at least one sees the other. The claim itself then becomes the lock. One
 * that another process has removed, as that of a dead process, cannot.
 */
export async function replaceLock(
  file: string,
  expected: string | undefined,
  own: Holder,
): Promise<FileHandle | undefined> {
  const seen: Sightings = new Map()
  const end = performance.now() + LONGEST
  while ((await readLock(file)) === expected) {
    const claim = `${file}.${randomUUID()}`
    const handle = await open(claim, 'wx')
    let taken = false
    try {
      await handle.writeFile(JSON.stringify(own))
      if ((await isAlone(file, claim, own, seen)) && (await readLock(file)) === expected) {
        taken = await rename(claim, file).then(() => true, unlessRemoved)
      }
      if (taken) return handle
    } finally {
      if (!taken) {
        await handle.close()
        await unlink(claim).catch(() => {})
      }
    }
    if (performance.now() > end) throw new Error('another process claims it, and does not go on: end that one')
    // Not in step with the others, which wait as well.
    await sleep(5 + 45 * Math.random())
  }
  return undefined
}

/** Milliseconds to wait for other claims: a process that was stopped may never go on. */
const LONGEST = 10_000

/** When each claim whose process cannot be looked up was first seen, by this process's clock. */
type Sightings = Map<string, number>

const CLAIM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether nobody else claims the lock; claims of dead processes are removed. */
async function isAlone(file: string, claim: string, own: Holder, seen: Sightings): Promise<boolean> {
  const prefix = `${basename(file)}.`
  const names = (await readdir(dirname(file))).filter(
    (name) => name.startsWith(prefix) && CLAIM.test(name.slice(prefix.length)) && name !== basename(claim),
  )
  let alone = true
  for (const name of names) {
    const other = join(dirname(file), name)
    if (await isLeft(other, own, seen)) await unlink(other).catch(() => {})
    else alone = false
  }
  return alone
}

/** Whether a claim was left by a dead process. One that is not yet written, or not from here, is given some time. */
async function isLeft(claim: string, own: Holder, seen: Sightings): Promise<boolean> {
  const holder = parseHolder(await readFile(claim, 'utf8').catch(() => ''))
  const lives = holder && (await livesHere(holder, own.place))
  if (lives !== undefined) return !lives
  const since = seen.get(claim) ?? performance.now()
  seen.set(claim, since)
  return performance.now() - since > PATIENCE
}

function unlessRemoved(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
  throw error
}
