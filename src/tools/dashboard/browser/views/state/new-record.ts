import type { CollectionKeys } from '../../../../../engine/files/collections.js'

export type StateRecord = Readonly<Record<string, unknown>>

/** A copy of the first record, so its references are valid, with a free key. */
export function newRecord({ key, unique, references }: CollectionKeys, records: readonly StateRecord[]): StateRecord {
  const [example = {}] = records
  const keys = ['id', 'uuid', ...key, ...unique].filter((field) => field in example && !(field in references))
  return {
    ...example,
    ...Object.fromEntries(keys.map((field) => [field, freeValue(records.map((one) => one[field]))])),
  }
}

function freeValue(taken: readonly unknown[]): unknown {
  const [first] = taken
  if (typeof first === 'number') return Math.max(...taken.map(Number)) + 1
  const text = String(first)
  // The last part of a UUID may have letters.
  const [end = ''] = /(?<=^[\da-f-]{24})[\da-f]{12}$|\d{1,9}$/i.exec(text) ?? []
  const start = text.slice(0, text.length - end.length)
  for (let count = 1; ; count++) {
    const value = `${start}${String(count).padStart(end.length, '0')}`
    if (!taken.includes(value)) return value
  }
}
