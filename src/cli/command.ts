import type { Argument, Option } from 'commander'
import type { Api } from '../engine/api.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import type { OptionName, Options } from '../server/options.js'

/** Where a command reads and writes; tests pass their own. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Prints a line while a server runs; undefined if all output is discarded. */
  readonly log: ((text: string) => void) | undefined
  /** Replaces the last line on a terminal while a command works; undefined without a terminal. */
  readonly progress?: ((text: string) => void) | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Where colours may be written; `log` writes where `out` does. */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  /** The working directory. */
  readonly folder: string
  /** Resolves with the signal by which the user asks the command to end; a command that reads it takes the signals over. */
  readonly interrupted: Promise<'SIGINT' | 'SIGTERM'>
}

/** Declares a flag by its name, such as `--junit`; its values are of type T. */
export type Flag<T> = ((name: string) => Option) & { readonly value?: T }
type Flags = Readonly<Record<string, Flag<unknown>>>

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

export interface Given<F extends Flags = Flags> {
  readonly options: Partial<Options>
  readonly flags: FlagValues<F>
  readonly words: readonly string[]
  /** Everything after `--`, for a command that runs it. */
  readonly rest: readonly string[]
}

export interface CliCommand {
  /** The exit status for a file or an option that cannot be used, if 1 means something else. */
  readonly misuse?: 2
  readonly usage?: string
  readonly about: string
  readonly word?: Argument
  /** If its files cannot be used, the complaints about all of them are reported. */
  readonly startsServer?: true
  /** It runs the command after `--`. */
  readonly runsAnother?: true
  readonly flags?: Flags
  readonly options?: readonly OptionName[]
  /** Descriptions of options that mean something else for this command. */
  readonly meanings?: Partial<Readonly<Record<OptionName, string>>>
  readonly sections: Readonly<Record<string, string>>
  /** Resolves with the exit status. */
  run(given: Given, io: Io): Promise<number>
}

export type MakeCommand = (api: Api) => CliCommand | Promise<CliCommand>

/** Thrown for a wrong use of the command line: the status is 2. */
export class WrongUse extends InvalidOption {}
