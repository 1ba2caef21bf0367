import { StorageFailure } from '../world/state/storage-failure.js'
import type { World } from '../world/world.js'
import { Problem } from './problems.js'

/**
 * Stores what has changed in a world before an answer says so.
 * @throws {Problem} when it cannot be stored; then nothing has changed
 */
export async function save({ state }: World): Promise<void> {
  try {
    await state.save()
  } catch (error) {
    if (error instanceof StorageFailure) throw new Problem('storage-failed', error.message)
    throw error
  }
}
