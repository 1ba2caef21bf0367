import { type BigIntStats, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDataFile } from './source-file.js'

/** Tells a file, or the data files of a folder, from others in its place, also behind a symbolic link. */
export function stampOf(path: string): string {
  return stamp(path, (folder) => {
    const files = readdirSync(path).filter(isDataFile).sort()
    // A folder may be a link to itself.
    return [idOf(folder), ...files.map((name) => `${name} ${stamp(join(path, name), idOf)}`)].join('\n')
  })
}

function stamp(path: string, ofFolder: (folder: BigIntStats) => string): string {
  try {
    const stats = statSync(path, { bigint: true })
    const { size, mtimeNs, ctimeNs } = stats
    // Archives and `touch -d` set the time of the content, and nothing sets that of the change.
    return stats.isDirectory() ? ofFolder(stats) : `${idOf(stats)} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`
  }
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`
}
