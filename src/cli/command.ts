import type { Argument, Option } from 'commander'
import type { Api } from '../engine/api.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import type { OptionName, Options } from '../server/options.js'

export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Undefined if all output is discarded. */
  readonly log: ((text: string) => void) | undefined
  /** Replaces the last line of a terminal. */
  readonly progress?: ((text: string) => void) | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Of `out` and `log`, and of `err`. */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  readonly folder: string
  /** Reading it takes over the signals. */
  readonly interrupted: Promise<'SIGINT' | 'SIGTERM'>
}

/** Makes an option of its name, such as `--junit`. */
export type Flag<T> = ((name: string) => Option) & { readonly value?: T }
type Flags = Readonly<Record<string, Flag<unknown>>>

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

export interface CommandInput<F extends Flags = Flags> {
  readonly options: Partial<Options>
  readonly flags: FlagValues<F>
  readonly words: readonly string[]
  readonly rest: readonly string[]
}

export interface CliCommand {
  /** The exit status for an unusable file or option, if not 1. */
  readonly misuse?: 2
  readonly usage?: string
  readonly about: string
  readonly word?: Argument
  /** Complaints about all files are reported together. */
  readonly startsServer?: true
  readonly runsAnother?: true
  readonly flags?: Flags
  readonly options?: readonly OptionName[]
  /** Other descriptions of shared options. */
  readonly meanings?: Partial<Readonly<Record<OptionName, string>>>
  readonly sections: Readonly<Record<string, string>>
  run(given: CommandInput, io: Io): Promise<number>
}

export type MakeCommand = (api: Api) => CliCommand | Promise<CliCommand>

/** Exit status 2. */
export class WrongUse extends InvalidOption {}
