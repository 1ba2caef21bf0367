import type { Fixtures } from '../../../schemas/fixtures.js'
import { collectionNames, keyOf } from './collections.js'

/** Fixtures with lists and counters of their own; the records, which are frozen, are shared. */
export function copyOf(fixtures: Fixtures): Fixtures {
  const lists = collectionNames.map((name) => [name, [...(fixtures[name] ?? [])]])
  return { version: 1, ...Object.fromEntries(lists), counters: { ...fixtures.counters } }
}

/** How many records there are in all collections. */
export function countRecords(fixtures: Fixtures): number {
  return collectionNames.reduce((sum, name) => sum + (fixtures[name]?.length ?? 0), 0)
}

/** The counters of all of them, each at its highest. */
export function highest(...all: readonly Pick<Fixtures, 'counters'>[]): Record<string, number> {
  const counters: Record<string, number> = {}
  for (const { counters: own = {} } of all) {
    for (const [name, number] of Object.entries(own)) counters[name] = Math.max(number, counters[name] ?? 0)
  }
  return counters
}

/** State over edited fixtures: records that the state changed, added or removed stay so, the others follow the edit. */
export function rebased(state: Fixtures, before: Fixtures, after: Fixtures): Fixtures {
  const lists = collectionNames.map((name) => {
    const [own = [], seeded = []] = [state[name], before[name]]
    const isUnchanged = own.length === seeded.length && own.every((record, at) => record === seeded[at])
    if (isUnchanged) return [name, [...(after[name] ?? [])]]
    const byKey = (records: readonly object[] = []) => new Map(records.map((one) => [keyOf(name, one), one]))
    const [now, old, edited] = [byKey(state[name]), byKey(before[name]), byKey(after[name])]
    const isOwn = (key: string) => now.get(key) !== old.get(key)
    const kept = [...edited].filter(([key]) => !isOwn(key) || now.has(key))
    const added = [...now].filter(([key]) => isOwn(key) && !edited.has(key))
    return [name, [...kept.map(([key, one]) => (isOwn(key) ? now.get(key) : one)), ...added.map(([, one]) => one)]]
  })
  return { version: 1, ...Object.fromEntries(lists), counters: highest(state, after) }
}
