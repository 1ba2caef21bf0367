import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** What the names of folders begin with that are being unpacked, or removed. */
export const UNFINISHED = '.unfinished-'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What is removed, by its name, and after how long; a folder's time of change is when it was last used. */
const lifetimes: readonly (readonly [RegExp, number])[] = [
  [/^\d+\.\d+\.\d+\S*-[0-9a-f]{16}$/, 30 * DAY],
  [/^\.unfinished-/, HOUR],
]

/** Removes other versions that have not been used for 30 days, and what a start left that was killed. */
export function removeUnused(shelf: string, used: string, now = Date.now()): void {
  for (const name of readdirSync(shelf).filter((one) => one !== used)) {
    const lifetime = lifetimes.find(([pattern]) => pattern.test(name))?.[1]
    if (lifetime === undefined) continue
    try {
      const found = lstatSync(join(shelf, name))
      if (found.isDirectory() && now - found.mtimeMs > lifetime) remove(shelf, name)
    } catch {
      // Another start removes it, or it stays until the next time.
    }
  }
}

/** Moved away first: a start of that version finds all of it, or nothing. */
function remove(shelf: string, name: string): void {
  const bin = mkdtempSync(join(shelf, UNFINISHED))
  renameSync(join(shelf, name), join(bin, name))
  rmSync(bin, { recursive: true, force: true })
}

/** Says that a folder is in use, now and while this process runs. */
export function keepInUse(folder: string): void {
  touch(folder)
  setInterval(touch, DAY, folder).unref()
}

function touch(folder: string): void {
  try {
    const now = new Date()
    utimesSync(folder, now, now)
  } catch {
    // A cache that cannot be written is not cleaned either.
  }
}
