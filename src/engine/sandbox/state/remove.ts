import { quote } from '../../contract/wording.js'
import { collectionNames, keyOf, normalizeKey, references } from '../../files/collections.js'
import type { State } from './state.js'

export interface Kept {
  readonly reason: 'unknown' | 'referred-to'
  readonly message: string
}

const MOST_NAMED = 3

export function removeRecord(state: State, collection: string, key: string): Kept | undefined {
  const name = collectionNames.find((one) => one === collection)
  if (name === undefined) {
    const known = collectionNames.join(', ')
    return { reason: 'unknown', message: `There is no collection ${quote(collection)}. Available: ${known}.` }
  }
  const record = state.collection(name).get(key)
  if (record === undefined) return { reason: 'unknown', message: `${name} has no record with the key ${quote(key)}.` }
  const fieldOf = (of: object, field: string) => normalizeKey((of as Readonly<Record<string, unknown>>)[field])
  const referring = references.flatMap(({ from, field, to, target }) => {
    const records: readonly object[] = to === name ? state.collection(from).all() : []
    const found = records.filter((one) => fieldOf(one, field) === fieldOf(record, target))
    return found.map((one) => `${from}/${keyOf(from, one)}`)
  })
  if (referring.length === 0) {
    state.collection(name).remove(record)
    return undefined
  }
  const more = referring.length > MOST_NAMED ? ` and ${referring.length - MOST_NAMED} more` : ''
  const named = `${referring.slice(0, MOST_NAMED).join(', ')}${more}`
  return {
    reason: 'referred-to',
    message: `${named} refer to ${name}/${keyOf(name, record)}. Remove or change those first.`,
  }
}
