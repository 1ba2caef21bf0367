import type { OptionName } from '../../schemas/config.js'
import type { FlagTable } from './flags/flag.js'

/** What the help and the documentation tell of a command. */
export interface Manual {
  /** What may follow `countersign`, one line for each way. */
  readonly usage: readonly string[]
  /** What it does, in paragraphs. */
  readonly about: readonly string[]
  /** Its own flags. */
  readonly flags: FlagTable
  /** The options that it reads: with their descriptions, or with what is said of them here. */
  readonly options: Partial<Readonly<Record<OptionName, true | string>>>
  readonly sections?: readonly Section[]
  /** Lines to paste. */
  readonly examples: readonly string[]
}

/** Something else that is told under a heading: names with what they are, and then text. */
export interface Section {
  readonly title: string
  readonly rows?: readonly (readonly [name: string, does: string])[]
  readonly text?: readonly string[]
  /** YAML to begin with. */
  readonly yaml?: string
}
