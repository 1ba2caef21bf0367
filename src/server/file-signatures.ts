import { type BigIntStats, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { statOf } from './watch-folders.js'

/** How files and folders stood when they were last looked at: tells an edit from other changes around a file. */
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
