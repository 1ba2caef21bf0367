import type { OptionName } from '../../schemas/config.js'
import type { FlagTable } from './flags/flag.js'

/** The help and documentation of a command. */
export interface Manual {
  /** What may follow `countersign`, one line per variant. */
  readonly usage: readonly string[]
  /** What it does, in paragraphs. */
  readonly about: readonly string[]
  /** Its own flags. */
  readonly flags: FlagTable
  /** The options that it reads: true for their usual descriptions, or a description for this command. */
  readonly options: Partial<Readonly<Record<OptionName, true | string>>>
  readonly sections?: readonly Section[]
  /** Commands to paste. */
  readonly examples: readonly string[]
}

/** Another section: names with descriptions, then text. */
export interface Section {
  readonly title: string
  readonly rows?: readonly (readonly [name: string, does: string])[]
  readonly text?: readonly string[]
  /** YAML to start from. */
  readonly yaml?: string
}
