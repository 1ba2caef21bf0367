import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Symbolic links that are followed at most, as Linux does. */
const MOST_LINKS = 40

/** Where a file is, or will be made: its path with every symbolic link resolved. */
export async function realFile(name: string): Promise<string> {
  let path = resolve(name)
  for (let links = 0; links < MOST_LINKS; links++) {
    const folder = await realpath(dirname(path)).catch(() => dirname(path))
    path = join(folder, basename(path))
    const target = await readlink(path).catch(() => undefined)
    if (target === undefined) return path
    path = resolve(folder, target)
  }
  return path
}
