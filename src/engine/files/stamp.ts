import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDataFile } from './source-file.js'

/** Tells a file, or the data files of a folder, from others in its place, also behind a symbolic link. */
export function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true })
    const { dev, ino, size, mtimeNs, ctimeNs } = stats
    // Archives and `touch -d` set the time of the content, and nothing sets that of the change.
    if (!stats.isDirectory()) return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
    const files = readdirSync(path).filter(isDataFile)
    return [`${dev} ${ino}`, ...files.sort().map((name) => `${name} ${stampOf(join(path, name))}`)].join('\n')
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code}`
  }
}
