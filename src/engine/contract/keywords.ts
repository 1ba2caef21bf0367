import type { Cites, LimitCites } from './cites.js'

export interface OptionTraits {
  /** An edit of the config file takes effect at once, without a restart. */
  readonly live?: boolean
  readonly isPath?: boolean
  /** `NAME` in `--scenario <NAME>`. */
  readonly placeholder?: string
  /** The part of a value that messages leave out. */
  readonly secret?: 'credentials' | 'whole-value'
}

declare module '@sinclair/typebox' {
  // Without this declaration, our keywords have the type `any`.
  interface SchemaOptions {
    readonly 'x-cites'?: Cites
    readonly 'x-limit-cites'?: LimitCites
    /** The format or values that the document implies: a value that nearly matches them is suspicious. */
    readonly 'x-resembles'?: 'uuid' | readonly string[]
    /** True if a word such as `None` may be a value, and is not suspicious. */
    readonly 'x-free-text'?: boolean
    /** Names that the document excludes for this operation. */
    readonly 'x-excluded-names'?: Readonly<Record<string, Cites>>
    /** Describes the allowed values in messages. */
    readonly 'x-allowed'?: string
    /** Keys that cannot be set, each with the reason. */
    readonly 'x-not-settable'?: Readonly<Record<string, string>>
    readonly 'x-absent-when-empty'?: boolean
    readonly 'x-open-statuses'?: { readonly statuses: readonly number[]; readonly cites: Cites }
    /** The JSON types of the OpenAPI document, where `type` has only one of them. */
    readonly 'x-types'?: readonly string[]
    readonly 'x-option'?: OptionTraits
  }
}
