import type { Stats } from 'node:fs'

/** What stands where a file should be; undefined for a file. To read a pipe or a device may take for ever. */
export function kindOf(found: Stats): string | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}
