import {
  accessSync,
  type BigIntStats,
  constants,
  type FSWatcher,
  readdirSync,
  realpathSync,
  statSync,
  watch,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds without a change after which the changes are reported: an editor's save is several of them. */
const QUIET = 60
/** Milliseconds after which they are reported though there are more. */
const LATEST = 500
/** Milliseconds between checks of the folders: no event reports a mount, or a folder that has become accessible. */
const AGAIN = 1_000

/**
 * Watches folders, not files: an editor that replaces a file leaves a watcher of the old one deaf. Node's own watcher
 * serves because chokidar misses files in a folder that appears later (docs/decisions/006).
 */
export class FolderWatcher {
  readonly #watched = new Map<string, { readonly inode: string; readonly watcher: FSWatcher | undefined }>()
  readonly #changed = new Set<string>()
  readonly #onChange: (folders: ReadonlySet<string>) => void
  readonly #isRelevant: (file: string) => boolean
  readonly #warn: (text: string) => void
  #firstChange = 0
  #timer: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined

  /**
   * `onChange` is called with the folders in which a relevant file changed, `isRelevant` with a file's name, `warn` when
   * a folder cannot be watched.
   */
  constructor(
    onChange: (folders: ReadonlySet<string>) => void,
    isRelevant: (file: string) => boolean,
    warn: (text: string) => void,
  ) {
    this.#onChange = onChange
    this.#isRelevant = isRelevant
    this.#warn = warn
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
    clearTimeout(this.#again)
    this.#again = setTimeout(() => this.watch(folders), AGAIN).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#again)
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
      return watcher.on('error', (error) => this.#fail(folder, error))
    } catch (error) {
      this.#fail(folder, error)
      return undefined
    }
  }

  /** A folder that is deleted while it is watched will be looked for again. */
  #fail(folder: string, error: unknown): void {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EPERM') return
    this.#warn(`Edits in ${folder} have no effect because it cannot be watched: ${REASONS[code] ?? message}.`)
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

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the system limit on watched files is reached (fs.inotify.max_user_watches)',
  EMFILE: 'the system limit on watchers or open files is reached (fs.inotify.max_user_instances)',
  EACCES: 'permission to enter it is denied',
}

/** A folder that does not exist yet is awaited in the one that it will appear in. */
function nearestFolder(folder: string): string {
  return statOf(folder) !== undefined || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

/** Tells a folder from another one that has taken its place, and from one that cannot be entered. */
function inodeOf(folder: string): string {
  const stats = statOf(folder)
  if (stats === undefined) return `none, seen from ${nearestFolder(folder)}`
  return `${stats.dev}:${stats.ino}${isOpen(folder) ? '' : ' closed'}`
}

function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The state of files and folders at the last check: tells an edit from other changes around a file. */
export class FileSignatures {
  readonly #known = new Map<string, string>()

  /** Whether one of these files, or what stands in one of these folders, is another than when it was last asked for. */
  changed(paths: readonly string[]): boolean {
    return paths.map((path) => this.#look(path)).includes(true)
  }

  #look(path: string): boolean {
    const [before, now] = [this.#known.get(path) ?? NONE, signatureOf(path)]
    this.#known.set(path, now)
    return before !== now
  }
}

const NONE = 'none'

function signatureOf(path: string): string {
  const stats = statOf(path)
  if (stats === undefined) return NONE
  const entries = stats.isDirectory() ? readdirSync(path).sort() : []
  return [stampOf(stats), ...entries.map((name) => `${name} ${stampOf(statOf(join(path, name)))}`)].join('\n')
}

function stampOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? NONE : [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(' ')
}

/** Undefined where there is nothing, or nothing that may be looked at. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The folders to watch for edits of a file: its own, and where its symbolic link leads. */
export function foldersOf(file: string): readonly string[] {
  return [dirname(file), dirname(realPathOf(file))]
}

/** The folders of what the symbolic links in a folder lead to. */
export function linkedFrom(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
    return entries.map(({ name }) => dirname(realPathOf(join(folder, name))))
  } catch {
    return []
  }
}

/** Where a symbolic link leads; the path itself where it is none, or leads nowhere. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
