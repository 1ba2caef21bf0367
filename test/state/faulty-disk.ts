import fs from 'node:fs'
import { JSONFile } from 'lowdb/node'
import type { Test } from 'tap'

interface Disk {
  readonly fs?: Partial<typeof fs>
  /** Called before lowdb writes a version of the file; it may fail. */
  readonly beforeWrite?: (path: string) => void
  /** Called when it has been written, before it takes its place. */
  readonly afterWrite?: () => Promise<void>
}

/** The state file over another disk. A mock reaches only what imports it, so lowdb's adapter is another one, too. */
export async function stateFileOver(t: Test, { fs: calls = {}, beforeWrite, afterWrite }: Disk) {
  class Adapter extends JSONFile<unknown> {
    readonly #path: string

    constructor(path: string) {
      super(path)
      this.#path = path
    }

    override async write(data: unknown): Promise<void> {
      const writing = () => super.write(data)
      beforeWrite?.(this.#path)
      await writing()
      await afterWrite?.()
    }
  }
  const { StateFile } = await t.mockImport<typeof import('../../src/world/state/state-file.js')>(
    '../../src/world/state/state-file.js',
    { 'node:fs': { ...fs, ...calls }, 'lowdb/node': { JSONFile: Adapter } },
  )
  return StateFile
}
