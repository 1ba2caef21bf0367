import type { Fixtures } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { collectionNames } from './collections.js'

/**
 * What a world has changed is in the fixtures format itself: records over those of the fixtures that it extends. One
 * that extends nothing has them all. This one has changed nothing.
 */
export function unchanged({ name = 'fixtures' }: { readonly name: string | undefined }): Fixtures {
  return { version: 1, extends: name }
}

/** An overlay of its own lists, so that the other one may change; the records are shared. */
export function copyOf(overlay: Fixtures): Fixtures {
  return { ...overlay, ...listsOf(overlay), ...(overlay.counters && { counters: { ...overlay.counters } }) }
}

/** An overlay that extends nothing, with all these records. */
export function overlayOf(fixtures: Fixtures): Fixtures {
  return { version: 1, ...listsOf(deepFreeze({ ...fixtures })) }
}

/** The counters of all of them, each as far as it got. */
export function highest(
  ...all: readonly { readonly counters?: Readonly<Record<string, number>> }[]
): Record<string, number> {
  const counters: Record<string, number> = {}
  for (const { counters: own = {} } of all) {
    for (const [name, number] of Object.entries(own)) counters[name] = Math.max(number, counters[name] ?? 0)
  }
  return counters
}

function listsOf(fixtures: Fixtures): Fixtures {
  const lists = collectionNames.flatMap((name) => {
    const records = fixtures[name]
    return records === undefined ? [] : [[name, [...records]]]
  })
  return Object.fromEntries(lists)
}
