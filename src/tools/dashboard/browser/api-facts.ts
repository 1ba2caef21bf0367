import { type CollectionKeys, keyOf } from '../../../engine/files/collections.js'
import type { ApiFacts, ShownCollection, ShownTokenHeader } from '../knowledge.js'

/** What the page says of the API. */
export const apiFacts: ApiFacts = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="countersign"]')?.content ?? '',
)

/** The header that calls send their token in. */
export const tokenHeader: ShownTokenHeader = apiFacts.tokenHeaders[0]!

/** The header as one line. */
export function tokenLine(token: string): string {
  return `${tokenHeader.label}: ${tokenEntry(token)[1]}`
}

/** The header as an entry of `fetch`. */
export function tokenEntry(token: string): [name: string, value: string] {
  const { name, scheme } = tokenHeader
  return [name, scheme === undefined ? token : `${scheme} ${token}`]
}

/** The header as a property in a program's text. */
export function tokenProperty(token: string): string {
  const [name, value] = tokenEntry(token)
  return `${/^\w+$/.test(name) ? name : quoteText(name)}: ${quoteText(value)}`
}

/** A text as a program writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}

export function collectionNamed(name: string): ShownCollection {
  const unknown = { name, key: [], unique: [], references: {}, fields: [] }
  return apiFacts.collections.find((one) => one.name === name) ?? unknown
}

type ApiRecord = Readonly<Record<string, unknown>>

/** Whether an address names a record: by its key, or by another unique field. */
export function isNamed(collection: CollectionKeys, record: ApiRecord, name: string): boolean {
  return keyOf(collection, record) === name || collection.unique.some((field) => record[field] === name)
}

export function tokenOf(user: ApiRecord | undefined): string | undefined {
  const token = user?.[apiFacts.users.token]
  return typeof token === 'string' ? token : undefined
}
