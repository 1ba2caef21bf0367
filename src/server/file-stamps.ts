import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDataFile } from '../text/source-file.js'

/** How often a change is looked at again while there are more: an editor's save is several of them. */
const MOST_LOOKS = 5

/** What files were at the last look. */
export class FileStamps {
  readonly #taken = new Map<string, string>()
  #last = ''
  #looks = 0

  /** Takes files that are new here as they are. */
  add(paths: readonly string[]): void {
    for (const path of paths) if (!this.#taken.has(path)) this.#taken.set(path, stampOf(path))
  }

  /** The files, and the folders with files, that have changed since they were last returned; none while they still do. */
  changed(paths: readonly string[]): readonly string[] {
    const stamps = new Map(paths.map((path) => [path, stampOf(path)]))
    const changed = paths.filter((path) => this.#taken.get(path) !== stamps.get(path))
    const all = [...stamps.values()].join()
    const isSettled = all === this.#last || ++this.#looks >= MOST_LOOKS
    this.#last = all
    if (!isSettled) return []
    this.#looks = 0
    for (const path of changed) this.#taken.set(path, stamps.get(path) as string)
    return changed
  }
}

/** Tells a file, or the files of a folder, from others in its place, also behind a symbolic link. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true })
    const place = `${stats.dev} ${stats.ino}`
    if (!stats.isDirectory()) return `${place} ${stats.size} ${stats.mtimeNs}`
    const files = readdirSync(path).filter(isDataFile)
    return [place, ...files.sort().map((name) => `${name} ${stampOf(join(path, name))}`)].join('\n')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'
  }
}
