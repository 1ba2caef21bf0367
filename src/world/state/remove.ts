import type { CollectionName } from '../../../schemas/fixtures.js'
import { quote } from '../../text/wording.js'
import { collectionNames, keyOf, references } from './collections.js'
import type { State } from './state.js'

/** Why a record was not removed: there is none, or others refer to it. */
export interface Kept {
  readonly reason: 'unknown' | 'referred-to'
  readonly message: string
}

/** How many referring records a message names. */
const NAMED = 3

/** Removes a record, by its collection and key; tells why, where it stays. */
export function removeRecord(state: State, collection: string, sent: string | number): Kept | undefined {
  // Some keys are numbers in their records.
  const given = String(sent)
  const name = collectionNames.find((one) => one === collection)
  if (name === undefined) {
    const known = collectionNames.join(', ')
    return { reason: 'unknown', message: `There is no collection ${quote(collection)}. Those are: ${known}.` }
  }
  // The keys of records whose ids are UUIDs are in small letters.
  const key = state.collection(name).get(given) === undefined ? given.toLowerCase() : given
  const record = state.collection(name).get(key)
  if (record === undefined) return { reason: 'unknown', message: `${name} has no record with the key ${quote(given)}.` }
  const referring = referringTo(state, name, record)
  if (referring.length > 0) {
    const named = referring.slice(0, NAMED).join(', ')
    const more = referring.length > NAMED ? ` and ${referring.length - NAMED} more` : ''
    return { reason: 'referred-to', message: `${named}${more} refer to ${name}/${key}. Remove or change those first.` }
  }
  const { [name]: records, ...others } = state.export()
  state.replace({ ...others, [name]: (records ?? []).filter((one) => keyOf(name, one) !== key) })
  return undefined
}

/** The records that refer to one, as `collection/key`. */
function referringTo(state: State, name: CollectionName, record: object): string[] {
  return references
    .filter(({ to }) => to === name)
    .flatMap(({ from, field, target }) => {
      const value = comparable(record, target)
      return [...state.collection(from).all()]
        .filter((one) => comparable(one, field) === value)
        .map((one) => `${from}/${keyOf(from, one)}`)
    })
}

function comparable(record: object, field: string): string {
  return String((record as Readonly<Record<string, unknown>>)[field]).toLowerCase()
}
