import type { CollectionName } from '../../../../schemas/fixtures.js'
import { uniques } from '../../../world/state/collections.js'
import type { StateRecord } from '../../shapes.js'

/** The fields that tell records of a collection apart; a record has some of them. */
const KEYS = ['id', 'uuid', 'code']

/** A copy of the first record, whose references are valid, with a free key. */
export function newRecord(collection: CollectionName, records: readonly StateRecord[]): StateRecord {
  const [example = {}] = records
  const keys = [...KEYS, ...uniques.filter((one) => one.in === collection).map(({ field }) => field)]
  const free = keys
    .filter((field) => field in example)
    .map((field) => [field, freeValue(records.map((one) => one[field]))])
  return { ...example, ...Object.fromEntries(free) }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A value like those that are taken: the next number, or a text that ends in another number. */
function freeValue(taken: readonly unknown[]): unknown {
  const [first] = taken
  if (typeof first === 'number') return Math.max(...taken.map(Number)) + 1
  const text = String(first)
  const isUuid = UUID.test(text)
  const start = isUuid ? text.slice(0, -12) : text.replace(/\d{1,9}$/, '')
  const length = isUuid ? 12 : text.length - start.length
  for (let count = 1; ; count++) {
    const value = `${start}${String(count).padStart(length, '0')}`
    if (!taken.includes(value)) return value
  }
}
