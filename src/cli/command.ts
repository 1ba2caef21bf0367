import type { Argument, Option } from 'commander'
import type { Api } from '../engine/api.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import type { OptionName, Options } from '../server/options.js'

export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Like `out`, for the lines of a running server; undefined if standard output is a device such as /dev/null. */
  readonly log: ((text: string) => void) | undefined
  /** Replaces the last line of a terminal. */
  readonly progress?: ((text: string) => void) | undefined
  readonly environment: NodeJS.ProcessEnv
  /** `out`: whether `out` and `log` are coloured; `err`: whether `err` is. */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  /** The working directory. */
  readonly folder: string
  /** The first of these signals, which does not end the process; a later one does. */
  readonly waitForSignal: (...signals: readonly NodeJS.Signals[]) => Promise<NodeJS.Signals>
}

/** Makes a commander option from the name of a flag, such as `--junit`. */
export type Flag<T> = ((name: string) => Option) & { readonly value?: T }
type Flags = Readonly<Record<string, Flag<unknown>>>

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

export interface CommandInput<F extends Flags = Flags> {
  readonly options: Partial<Options>
  readonly flags: FlagValues<F>
  /** Arguments that are not flags. */
  readonly operands: readonly string[]
  /** Arguments after `--`. */
  readonly rest: readonly string[]
}

export interface CliCommand {
  /** The exit status for an invalid file or setting, if not 1. An invalid command line always ends with 2. */
  readonly invalidInputStatus?: 2
  readonly usage?: string
  readonly about: string
  readonly operand?: Argument
  /** Reads config, fixtures and scenarios, and reports the complaints about all of them together. */
  readonly startsServer?: true
  /** Takes a command to run after `--`. */
  readonly runsChild?: true
  readonly flags?: Flags
  readonly options?: readonly OptionName[]
  /** Help texts that replace those of shared options. */
  readonly optionHelp?: Partial<Readonly<Record<OptionName, string>>>
  readonly sections: Readonly<Record<string, string>>
  run(input: CommandInput, io: Io): Promise<number>
}

export type MakeCommand = (api: Api) => CliCommand | Promise<CliCommand>

export class WrongUse extends InvalidOption {}

export function dashesAdvice(name: string): string {
  return `Put the command to run after --: npx countersign ${name} [options] -- npm test.`
}
