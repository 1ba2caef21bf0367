import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cachesOf } from './caches.js'
import { distrust, isOpenToSwaps } from './distrust.js'
import { keepInUse, removeUnused, UNFINISHED } from './old-folders.js'
import type { Parcel } from './parcel.js'
import { isWhole, unpack } from './unpack.js'

/**
 * The folder in the user's cache where the package is, unpacked by the first start of this version; undefined where there
 * is no such cache, where it cannot be written, and where others could put code into it, which is complained of.
 */
export function cachedPackage(parcel: Parcel, complain: (message: string) => void): string | undefined {
  const caches = cachesOf(process.env)
  if (caches === undefined) return undefined
  try {
    makeFolder(caches)
    // The caches may be on another disk, behind a symbolic link.
    const place = realpathSync(caches)
    if (isOpenToSwaps(place)) return undefined
    const shelf = join(place, 'countersign')
    makeFolder(shelf)
    if (!isTrusted(shelf, complain)) return undefined
    const folder = join(shelf, parcel.folder)
    if (!existsSync(folder)) addTo(shelf, parcel)
    if (!isTrusted(folder, complain)) return undefined
    unpack(parcel, folder)
    keepInUse(folder)
    return folder
  } catch {
    // It is full, or read-only: the temporary folder may be neither.
    return undefined
  }
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

/** Unpacks beside its place, so that whoever finds the folder finds all of it. */
function addTo(shelf: string, parcel: Parcel): void {
  const folder = join(shelf, parcel.folder)
  const unfinished = mkdtempSync(join(shelf, UNFINISHED))
  try {
    unpack(parcel, unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another start may have been faster.
    if (!isWhole(parcel, folder)) throw error
  }
  removeUnused(shelf, parcel.folder)
}

function isTrusted(folder: string, complain: (message: string) => void): boolean {
  const reason = distrust(folder)
  if (reason === undefined) return true
  complain(
    `'${folder}' is not used, since ${reason}. Until you remove it, each start unpacks the program into a temporary folder.`,
  )
  return false
}
