import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds without a change after which the changes are reported: an editor's save is several of them. */
const QUIET = 60
/** Milliseconds after which they are reported though there are more. */
const LATEST = 500

/**
 * Watches folders, not files: an editor that replaces a file leaves a watcher of the old one deaf. Node's own watcher
 * serves because chokidar misses files in a folder that appears later (docs/decisions/006).
 */
export class FolderWatcher {
  readonly #watched = new Map<string, { readonly inode: string; readonly watcher: FSWatcher | undefined }>()
  readonly #changed = new Set<string>()
  readonly #onChange: (folders: ReadonlySet<string>) => void
  readonly #isRelevant: (file: string) => boolean
  #firstChange = 0
  #timer: NodeJS.Timeout | undefined

  /** `onChange` is called with the folders in which a relevant file changed; `isRelevant` is given its name. */
  constructor(onChange: (folders: ReadonlySet<string>) => void, isRelevant: (file: string) => boolean) {
    this.#onChange = onChange
    this.#isRelevant = isRelevant
  }

  /** Watches these folders and no others; one that came, went or was replaced since the last call has changed. */
  watch(folders: readonly string[]): void {
    const first = this.#watched.size === 0
    for (const folder of this.#watched.keys()) if (!folders.includes(folder)) this.#forget(folder)
    for (const folder of folders) {
      const inode = inodeOf(folder)
      if (this.#watched.get(folder)?.inode === inode) continue
      this.#forget(folder)
      this.#watched.set(folder, { inode, watcher: this.#open(folder) })
      // What happened between the old watcher and the new one was seen by neither.
      if (!first) this.#report(folder)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const folder of [...this.#watched.keys()]) this.#forget(folder)
  }

  #forget(folder: string): void {
    this.#watched.get(folder)?.watcher?.close()
    this.#watched.delete(folder)
  }

  #open(folder: string): FSWatcher | undefined {
    try {
      const watcher = watch(nearestFolder(folder), { persistent: false }, (_, file) => {
        if (file === null || this.#isRelevant(file)) this.#report(folder)
      })
      // A folder that is deleted while it is watched is no reason to end.
      return watcher.on('error', () => {})
    } catch {
      return undefined
    }
  }

  #report(folder: string): void {
    if (this.#changed.size === 0) this.#firstChange = performance.now()
    this.#changed.add(folder)
    const waited = performance.now() - this.#firstChange
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, Math.min(QUIET, LATEST - waited)))
    this.#timer.unref()
  }

  #flush(): void {
    const folders = new Set(this.#changed)
    this.#changed.clear()
    this.#onChange(folders)
  }
}

/** A folder that does not exist yet is awaited in the one that it will appear in. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

/** Tells a folder from another one that has taken its place. */
function inodeOf(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat === undefined ? `none, seen from ${nearestFolder(folder)}` : `${stat.dev}:${stat.ino}`
}
