import { nextTurn } from '../timers.js'

/** Items of a list that are worked on at once. */
const AT_ONCE = 10

/** Maps a long list, and lets other requests be answered in between. */
export async function mapInTurns<T, R>(all: readonly T[], map: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of all) {
    done.push(map(one))
    if (done.length % AT_ONCE === 0) await nextTurn()
  }
  return done
}
