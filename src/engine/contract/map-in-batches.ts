import { nextTurn } from '../timers.js'

const BATCH_SIZE = 10

/** Maps a long list without blocking other requests. */
export async function mapInBatches<T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of all) {
    done.push(map(one))
    if (done.length % BATCH_SIZE === 0) await nextTurn()
  }
  return done
}
