import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { Changes } from '../../src/world/state/changes.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'

export const ORGANIZATION = { uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20', name: 'One' }

/** Changes with that many organizations, as they are stored one after another. */
export async function store(file: StateFile, changes: Changes, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    changes.recordsOf('organizations').set(String(id), { ...ORGANIZATION, id })
    changes.mark('organizations', String(id))
    changes.next('organization')
    await file.write(changes)
  }
}

/** A file that stored these organizations, each with a write of its own, after it was opened anew. */
export async function stored(t: Test, ids: readonly number[]): Promise<{ path: string; bytes: Buffer }> {
  const path = join(folder(t), 'state.json')
  const file = await StateFile.open(path)
  await store(file, new Changes(), ids)
  await file.close()
  return { path, bytes: await readFile(path) }
}

/** The ids of what a file holds, or why it cannot be used. */
export async function read(path: string): Promise<number[] | string> {
  const file = await StateFile.open(path)
  try {
    const changes = (await file.read()) ?? new Changes()
    return [...changes.recordsOf('organizations').values()].map(({ id }) => id)
  } catch (error) {
    return (error as Error).message
  } finally {
    await file.close()
  }
}
