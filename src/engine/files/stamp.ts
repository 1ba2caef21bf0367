import { type BigIntStats, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDataFile } from './source-file.js'

/** Changes whenever a file, or a data file of a folder, does. Follows links. */
export function stampOf(path: string): string {
  return stamp(path, (folder) => {
    const files = readdirSync(path).filter(isDataFile).sort()
    // A folder may link to itself.
    return [idOf(folder), ...files.map((name) => `${name} ${stamp(join(path, name), idOf)}`)].join('\n')
  })
}

function stamp(path: string, ofFolder: (folder: BigIntStats) => string): string {
  try {
    const stats = statSync(path, { bigint: true })
    const { size, mtimeNs, ctimeNs } = stats
    // Archives and `touch -d` can set mtime, but not ctime.
    return stats.isDirectory() ? ofFolder(stats) : `${idOf(stats)} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`
  }
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`
}
