import { nextTurn } from '../timers.js'

const BATCH_SIZE = 10

/** Maps a long list without blocking other requests. */
export async function mapInBatches<T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> {
  const results: R[] = []
  for (const item of all) {
    results.push(map(item))
    if (results.length % BATCH_SIZE === 0) await nextTurn()
  }
  return results
}
