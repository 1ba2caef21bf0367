import { type CollectionKeys, keyOf } from '../../../engine/files/collections.js'
import type { ApiFacts, ShownCollection } from '../knowledge.js'

export const apiFacts: ApiFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="countersign"]')?.content ?? '',
)

export function collectionNamed(name: string): ShownCollection {
  const unknown = { name, key: [], unique: [], references: {}, fields: [] }
  return apiFacts.collections.find((one) => one.name === name) ?? unknown
}

type ApiRecord = Readonly<Record<string, unknown>>

/** By its key, or another unique field. */
export function isNamed(collection: CollectionKeys, record: ApiRecord, name: string): boolean {
  return keyOf(collection, record) === name || collection.unique.some((field) => record[field] === name)
}
