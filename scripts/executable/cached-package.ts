import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ownCache, trustedFolder } from '../../src/cli/caches/own-cache.js'
import { keepInUse, removeUnused, UNFINISHED } from './old-folders.js'
import type { Parcel } from './parcel.js'
import { isWhole, unpack } from './unpack.js'

/**
 * The folder in the user's cache where the package is, unpacked by the first start of this version; undefined where there
 * is no such cache, where it cannot be written, and where others could put code into it, which is complained of.
 */
export function cachedPackage(parcel: Parcel, complain: (message: string) => void): string | undefined {
  const distrusted = (folder: string, reason: string) =>
    complain(
      `'${folder}' is not used, since ${reason}. Until you remove it, each start unpacks the program into a temporary folder.`,
    )
  const shelf = ownCache(distrusted)
  if (shelf === undefined) return undefined
  try {
    const folder = join(shelf, parcel.folder)
    if (!existsSync(folder)) addTo(shelf, parcel)
    if (trustedFolder(folder, distrusted) === undefined) return undefined
    unpack(parcel, folder)
    keepInUse(folder)
    return folder
  } catch {
    // It is full, or read-only: the temporary folder may be neither.
    return undefined
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
