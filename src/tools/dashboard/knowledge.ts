import type { CollectionKeys } from '../../engine/files/collections.js'

/** What the dashboard must know of an API, besides its contracts and collections. */
export interface DashboardKnowledge {
  readonly mailSubjects: MailSubjects
}

/** The records that mails are about: each has an `id` and a `status`, and can be answered in place of its reader. */
export interface MailSubjects {
  /** `GET PATH` of the admin API lists them under this name, and the links of a mail lead to `/PATH/ID`. */
  readonly path: string
  /** What one of them is called. */
  readonly name: string
  /** Why there is none yet, as a sentence. */
  readonly origin: string
  /** The colours of statuses. */
  readonly tones: Readonly<Record<string, 'waiting' | 'good' | 'bad'>>
  /** The status in which one can be answered. */
  readonly answerable: string
  /** The answers, the usual one first: `POST PATH/ID/NAME` of the admin API. */
  readonly answers: readonly { readonly name: string; readonly label: string }[]
}

/** A single value of a record. */
export interface ShownField {
  /** Such as `details.note`. */
  readonly name: string
  /** As in its JSON Schema. */
  readonly type: string | undefined
  /** The values that it may have; empty for any. */
  readonly values: readonly string[]
}

export interface ShownCollection extends CollectionKeys {
  readonly fields: readonly ShownField[]
}

/** What the page tells its scripts of the API. */
export interface ApiFacts {
  readonly collections: readonly ShownCollection[]
  /** The fields that identify a user. */
  readonly userKey: readonly string[]
  /** The headers that may carry a token, with their names in the OpenAPI document. */
  readonly tokenHeaders: readonly { readonly name: string; readonly security: string }[]
  /** Pairs of a query that nearly every call has, which lists do not show. */
  readonly constantPairs: readonly string[]
  /** To call first: it only reads, if any operation does. */
  readonly firstOperation: string | undefined
  /** The keys of scenario files, each with the values that it may have. */
  readonly scenarioKeys: Readonly<Record<string, readonly string[]>>
  readonly mailSubjects?: MailSubjects | undefined
}
