import type { Cites, LimitCites } from './cites.js'
import type { SwitchName } from './interpretations.js'

/** A switch that says what an empty text means. */
export type EmptySwitch = Extract<SwitchName, 'emptyFields' | 'emptyName' | 'emptyKeyword'>

/** What is said of an option besides its value. */
export interface OptionWords {
  /** Whether it may change while the server runs. */
  readonly live?: boolean
  readonly path?: boolean
  /** What it takes, as the help names it. */
  readonly value?: string
  /** What messages leave out of a value that they quote: the credentials of a URL, or all of it. */
  readonly secret?: 'credentials' | 'wholly'
}

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
  /** Whether a parameter that is sent empty is as if it were not sent. */
  readonly 'x-absent'?: boolean
  /** The switches that say what an empty or an unknown value means. */
  readonly 'x-switches'?: readonly SwitchName[]
  /** The types of a text of the wire in the OpenAPI document. */
  readonly 'x-types'?: readonly string[]
  readonly 'x-option'?: OptionWords
}

declare module '@sinclair/typebox' {
  // Without it, reading a keyword of ours is `any`.
  interface SchemaOptions extends Keywords {}
}
