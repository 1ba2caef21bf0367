import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parcel } from './parcel.js'
import { unpack } from './unpack.js'

/**
 * A new folder for this user alone, with the package in it; removed when the process ends.
 * @throws {Error} where the temporary folder cannot be written either
 */
export function temporaryPackage(parcel: Parcel): string {
  try {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-unpacked-'))
    removeAtEnd(folder)
    unpack(parcel, folder)
    return folder
  } catch (error) {
    throw new Error(
      `The program cannot be unpacked: ${(error as Error).message}. Let HOME, XDG_CACHE_HOME or TMPDIR name a folder that can be written.`,
    )
  }
}

/** A signal that nobody else listens to would end the process without its last words. */
function removeAtEnd(folder: string): void {
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, function end() {
      // The program ends in its own time.
      if (process.listenerCount(signal) > 1) return
      remove()
      process.off(signal, end)
      process.kill(process.pid, signal)
    })
  }
}
