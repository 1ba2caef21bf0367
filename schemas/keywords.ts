import type { Cites, LimitCites } from './cites.js'
import type { SwitchName } from './interpretations.js'

/** A switch that says what an empty text means. */
export type EmptySwitch = Extract<SwitchName, 'emptyFields' | 'emptyName' | 'emptyKeyword'>

/** What the schemas here say in addition to JSON Schema; each keyword is optional, and no validator but ours reads it. */
interface Keywords {
  /** What a value rests on: its presence and its type. */
  readonly 'x-cites'?: Cites
  /** What each limit of a value rests on, and what a value without any cites where the schema is `false`. */
  readonly 'x-limits'?: LimitCites
  /** What is allowed, in words for messages. */
  readonly 'x-allowed'?: string
  /** Why some keys of an object are refused, by their names. */
  readonly 'x-refused'?: Readonly<Record<string, string>>
  /** Whether messages leave a key out where they list the ones that are allowed. */
  readonly 'x-unlisted'?: boolean
  /** What messages leave out of a value that they quote: the credentials of a URL, or all of it. */
  readonly 'x-secret'?: 'credentials' | 'wholly'
  /** Whether a text is a time, as `--clock` takes it. */
  readonly 'x-clock'?: boolean
  /** Whether a parameter that is sent empty is as if it were not sent. */
  readonly 'x-absent'?: boolean
  readonly 'x-empty'?: EmptySwitch
  /** The switch that says what an unknown value means. */
  readonly 'x-unknown'?: SwitchName
  /** The status that refuses a parameter, where it is not the operation's own. */
  readonly 'x-status'?: number
  /** The types of a text of the wire in the OpenAPI document. */
  readonly 'x-types'?: readonly string[]
  /** What holds where nothing is given, in words. */
  readonly 'x-default'?: string
  /** Whether an option may change while the server runs. */
  readonly 'x-live'?: boolean
  /** Whether an option is a path. */
  readonly 'x-path'?: boolean
  /** What an option takes, as the help names it. */
  readonly 'x-value'?: string
  /** The default of an option where a program starts the server. */
  readonly 'x-in-process'?: unknown
}

declare module '@sinclair/typebox' {
  // Without it, reading a keyword of ours is `any`.
  interface SchemaOptions extends Keywords {}
}
