import { nextTurn } from '../timers.js'

const AT_ONCE = 10

/** Maps a long list without blocking other requests. */
export async function mapInTurns<T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of all) {
    done.push(map(one))
    if (done.length % AT_ONCE === 0) await nextTurn()
  }
  return done
}
