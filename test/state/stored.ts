import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Fixtures } from '../../schemas/fixtures.js'
import { type Seeded, State } from '../../src/world/state/state.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'

/** The organization of an id. */
export const organization = (id: number) => ({
  id,
  uuid: `0d5b8f3e-7a61-4c29-9e84-${String(id).padStart(12, '0')}`,
  name: 'One',
})

/** A user with that token, in the organization of that id. */
export const user = (token: string, organization_id = 1) => ({
  uuid: '8e2f6a1c-4b9d-4d37-a5c8-1f7e3b6d9a40',
  token,
  email: 'ada@example.test',
  first_name: 'Ada',
  last_name: 'Admin',
  user_type: 'ENTERPRISE_API',
  organization_id,
  permissions: [],
})

const nothing: Seeded = { fixtures: {}, files: [] }

/** A state that is kept in a file. */
export async function openState(path: string, seeded = nothing) {
  const file = await StateFile.open(path)
  try {
    const state = await State.open(seeded, file)
    /** Stores organizations, each with a write of its own. */
    const store = async (...ids: readonly number[]) => {
      for (const id of ids) {
        state.next('organization')
        state.collection('organizations').put(organization(id))
        await state.save()
      }
    }
    return { state, store, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Stores organizations in a file that nobody has open. */
export async function storeIn(path: string, ids: readonly number[], seeded?: Seeded): Promise<void> {
  const { store, close } = await openState(path, seeded)
  await store(...ids)
  await close()
}

/** A file that stored these organizations. */
export async function stored(t: Test, ids: readonly number[]): Promise<{ path: string; text: string }> {
  const path = join(folder(t), 'state.json')
  await storeIn(path, ids)
  return { path, text: await readFile(path, 'utf8') }
}

/** The ids of what a state holds. */
export function idsOf(state: State): number[] {
  return Array.from(state.collection('organizations').all(), ({ id }) => id)
}

/** The ids of what a file holds, or why it cannot be used. */
export async function read(path: string): Promise<number[] | string> {
  try {
    const { state, close } = await openState(path)
    await close()
    return idsOf(state)
  } catch (error) {
    return (error as Error).message
  }
}

/** What a state file says. */
export async function written(path: string): Promise<Fixtures> {
  return JSON.parse(await readFile(path, 'utf8'))
}
