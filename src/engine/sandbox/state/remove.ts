import { quote } from '../../contract/wording.js'
import { fieldOf, keyOf, normalizeKey, referencesIn } from '../../files/collections.js'
import type { State } from './state.js'

export interface Kept {
  readonly reason: 'unknown' | 'referred-to'
  readonly message: string
}

const MOST_NAMED = 3

export function removeRecord(state: State, collection: string, key: string): Kept | undefined {
  const { definitions } = state
  const own = definitions.find(({ name }) => name === collection)
  if (own === undefined) {
    const known = definitions.map(({ name }) => name).join(', ')
    return { reason: 'unknown', message: `There is no collection ${quote(collection)}. Available: ${known}.` }
  }
  const { name } = own
  const record = state.collection(own).get(key)
  if (record === undefined) return { reason: 'unknown', message: `${name} has no record with the key ${quote(key)}.` }
  const referring = definitions.flatMap((definition) =>
    referencesIn([definition])
      .filter(({ to }) => to === name)
      .flatMap(({ field, target }) => {
        const value = normalizeKey(fieldOf(record, target))
        const found = state
          .collection(definition)
          .all()
          .filter((one) => normalizeKey(fieldOf(one, field)) === value)
        return found.map((one) => `${definition.name}/${keyOf(definition, one)}`)
      }),
  )
  if (referring.length === 0) {
    state.collection(own).remove(record)
    return undefined
  }
  const more = referring.length > MOST_NAMED ? ` and ${referring.length - MOST_NAMED} more` : ''
  const named = `${referring.slice(0, MOST_NAMED).join(', ')}${more}`
  return {
    reason: 'referred-to',
    message: `${named} refer to ${name}/${keyOf(own, record)}. Remove or change those first.`,
  }
}
