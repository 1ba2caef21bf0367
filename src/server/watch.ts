import { type FSWatcher, watch } from 'node:fs'

/** Milliseconds of quiet after which a change is taken: an editor's save is several events. */
const QUIET = 60

/**
 * Calls back when something changes in a folder, until the returned function is called. A folder, not a file: an
 * editor that replaces a file leaves a watcher of the old one deaf. One that does not exist is passed over.
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(folder, { persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET)
      timer.unref()
    })
    // A folder that is deleted while watched is no reason to end.
    watcher.on('error', () => {})
  } catch {}
  return () => {
    clearTimeout(timer)
    watcher?.close()
  }
}
