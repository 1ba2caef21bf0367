import type { Cites, LimitCites } from './cites.js'

export interface OptionWords {
  /** Editing the config file changes it at once, without a restart. */
  readonly live?: boolean
  readonly path?: boolean
  readonly value?: string
  /** The part of a value that messages leave out. */
  readonly secret?: 'credentials' | 'wholly'
}

declare module '@sinclair/typebox' {
  // Without it, our keywords have the type `any`.
  interface SchemaOptions {
    readonly 'x-cites'?: Cites
    readonly 'x-limits'?: LimitCites
    /** Statements that name its only value; another value is no mismatch. */
    readonly 'x-only-value'?: Cites
    /** The format or values that its description implies; a value that is nearly one of them is suspicious. */
    readonly 'x-resembles'?: 'uuid' | readonly string[]
    /** Its values are names or words: `None` is allowed. */
    readonly 'x-words'?: boolean
    /** Names that the document excludes for this operation. */
    readonly 'x-not-taken'?: Readonly<Record<string, Cites>>
    readonly 'x-allowed'?: string
    readonly 'x-fixed'?: Readonly<Record<string, string>>
    readonly 'x-absent'?: boolean
    readonly 'x-open-statuses'?: { readonly statuses: readonly number[]; readonly cites: Cites }
    readonly 'x-types'?: readonly string[]
    readonly 'x-option'?: OptionWords
  }
}
