import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { cachesOf } from './caches-of.js'
import { distrust, isOpenToSwaps } from './distrust.js'

/**
 * Our folder among this user's caches, made if it is missing; undefined where there are none, where they cannot be
 * written, and where others could put code into it, which is complained of.
 */
export function ownCache(complain: (folder: string, reason: string) => void): string | undefined {
  const caches = cachesOf(process.env)
  if (caches === undefined) return undefined
  try {
    makeFolder(caches)
    // The caches may be on another disk, behind a symbolic link.
    const place = realpathSync(caches)
    if (isOpenToSwaps(place)) return undefined
    return trustedFolder(join(place, 'countersign'), complain)
  } catch {
    // It is full, or read-only.
    return undefined
  }
}

/**
 * A folder in which code is kept, made if it is missing.
 * @throws {Error} where it cannot be made
 */
export function trustedFolder(folder: string, complain: (folder: string, reason: string) => void): string | undefined {
  makeFolder(folder)
  const reason = distrust(folder)
  if (reason === undefined) return folder
  complain(folder, reason)
  return undefined
}

/** Makes the one folder, for this user alone; where even the one above is missing, the environment is not a user's. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another start may make it at the same moment; a cache that is only read has it already.
    if (!existsSync(folder)) throw error
  }
}
