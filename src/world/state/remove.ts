import type { CollectionName } from '../../../schemas/fixtures.js'
import { quote } from '../../text/wording.js'
import { collectionNames, comparable, keyOf, references } from './collections.js'
import type { State } from './state.js'

/** Why a record was not removed: there is none, or others refer to it. */
export interface Kept {
  readonly reason: 'unknown' | 'referred-to'
  readonly message: string
}

const NAMED = 3

export function removeRecord(state: State, collection: string, key: string): Kept | undefined {
  const name = collectionNames.find((one) => one === collection)
  if (name === undefined) {
    const known = collectionNames.join(', ')
    return { reason: 'unknown', message: `There is no collection ${quote(collection)}. Those are: ${known}.` }
  }
  const record = state.collection(name).get(key)
  if (record === undefined) return { reason: 'unknown', message: `${name} has no record with the key ${quote(key)}.` }
  const referring = referringTo(state, name, record)
  if (referring.length > 0) {
    const named = referring.slice(0, NAMED).join(', ')
    const more = referring.length > NAMED ? ` and ${referring.length - NAMED} more` : ''
    const message = `${named}${more} refer to ${name}/${keyOf(name, record)}. Remove or change those first.`
    return { reason: 'referred-to', message }
  }
  state.collection(name).remove(record)
  return undefined
}

function referringTo(state: State, name: CollectionName, record: object): string[] {
  const fieldOf = (of: object, field: string) => comparable((of as Readonly<Record<string, unknown>>)[field])
  return references
    .filter(({ to }) => to === name)
    .flatMap(({ from, field, target }) =>
      state
        .collection(from)
        .all()
        .filter((one: object) => fieldOf(one, field) === fieldOf(record, target))
        .map((one: object) => `${from}/${keyOf(from, one)}`),
    )
}
