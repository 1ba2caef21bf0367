import type fs from 'node:fs'
import { JSONFile } from 'lowdb/node'
import type { Test } from 'tap'
import { replaceFs } from '../replaced-fs.js'

interface Disk {
  readonly fs?: Partial<typeof fs>
  /** Called before lowdb writes a version of the file; where it fails, something else is written. */
  readonly beforeWrite?: () => void
  /** Called when it has been written, before it takes its place. */
  readonly afterWrite?: () => Promise<void>
}

/** Has lowdb write to another disk, until the test ends. */
export function writeTo(t: Test, { fs: calls = {}, beforeWrite, afterWrite }: Disk): void {
  replaceFs(t, calls)
  const { write } = JSONFile.prototype
  t.teardown(() => {
    JSONFile.prototype.write = write
  })
  JSONFile.prototype.write = async function (this: JSONFile<unknown>, data) {
    try {
      beforeWrite?.()
    } catch (error) {
      await write.call(this, {})
      throw error
    }
    await write.call(this, data)
    await afterWrite?.()
  }
}
