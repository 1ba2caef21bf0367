import type { CollectionKeys } from '../../engine/files/collections.js'

/** Facts that contracts and collections lack. */
export interface DashboardDefinition {
  readonly recordsBehindMails: RecordsBehindMails
}

/** Records that mails ask about; each has `id` and `status`. */
export interface RecordsBehindMails {
  /** Listed by `GET PATH` under this name; mails link to `/PATH/ID`. */
  readonly path: string
  readonly name: string
  /** A sentence for an empty list. */
  readonly origin: string
  readonly tones: Readonly<Record<string, 'waiting' | 'good' | 'bad'>>
  /** The status of records that can be answered. */
  readonly answerable: string
  /** `POST PATH/ID/NAME` each; the usual one first. */
  readonly answers: readonly { readonly name: string; readonly label: string }[]
}

export interface ShownField {
  readonly name: string
  readonly type: string | undefined
  /** Empty for any. */
  readonly values: readonly string[]
}

export interface ShownCollection extends CollectionKeys {
  readonly fields: readonly ShownField[]
}

/** Embedded in the page. */
export interface ApiFacts {
  readonly collections: readonly ShownCollection[]
  /** Identify a user. */
  readonly userKey: readonly string[]
  /** With their names in the OpenAPI document. */
  readonly tokenHeaders: readonly { readonly name: string; readonly security: string }[]
  /** Query pairs that lists omit. */
  readonly constantPairs: readonly string[]
  /** Preferably one that only reads. */
  readonly firstOperation: string | undefined
  readonly scenarioKeys: Readonly<Record<string, readonly string[]>>
  readonly recordsBehindMails?: RecordsBehindMails | undefined
}
