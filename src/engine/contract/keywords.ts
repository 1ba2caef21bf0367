import type { Cites, LimitCites } from './cites.js'

export interface OptionWords {
  /** An edit of the config file takes effect at once, without a restart. */
  readonly live?: boolean
  readonly path?: boolean
  /** The placeholder for its value in the help. */
  readonly value?: string
  /** The secret part of a value, which messages leave out. */
  readonly secret?: 'credentials' | 'wholly'
}

/** Our additions to JSON Schema, all optional. */
interface Keywords {
  /** For presence and type. */
  readonly 'x-cites'?: Cites
  /** For each limit, and for values that the schema `false` forbids. */
  readonly 'x-limits'?: LimitCites
  /** The statements that name its only value; another one is no mismatch. */
  readonly 'x-only-value'?: Cites
  /** The format that its name and description imply, or documented values: a value that is nearly one is suspicious. */
  readonly 'x-resembles'?: 'uuid' | readonly string[]
  /** Its values are people's words, such as a name: `None` may be one. */
  readonly 'x-words'?: boolean
  /** Names of which the document says that the operation does not take them. */
  readonly 'x-not-taken'?: Readonly<Record<string, Cites>>
  /** The allowed values, in words for messages. */
  readonly 'x-allowed'?: string
  /** By key: why it cannot be set. */
  readonly 'x-fixed'?: Readonly<Record<string, string>>
  /** An empty text counts as not sent. */
  readonly 'x-absent'?: boolean
  /** The statuses that an interpretation allows for another value, where the document names none. */
  readonly 'x-open-statuses'?: { readonly statuses: readonly number[]; readonly cites: Cites }
  /** The types in the OpenAPI document. */
  readonly 'x-types'?: readonly string[]
  readonly 'x-option'?: OptionWords
}

declare module '@sinclair/typebox' {
  // Without it, reading a keyword of ours is `any`.
  interface SchemaOptions extends Keywords {}
}
