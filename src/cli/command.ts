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
  /** `out`: whether `out` and `log` are coloured; `err`: whether `err` is. */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  readonly folder: string
  /** From the call on, SIGINT, SIGTERM and `others` no longer end the process. */
  readonly waitForSignal: (...others: readonly 'SIGHUP'[]) => Promise<NodeJS.Signals>
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
  /** The exit status for an unusable file or option, if not 1. */
  readonly misuseStatus?: 2
  readonly usage?: string
  readonly about: string
  readonly operand?: Argument
  /** Complaints about all files are reported together. */
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

/** An invalid command line: exit status 2. */
export class WrongUse extends InvalidOption {}

export function dashesAdvice(name: string): string {
  return `Put the command to run after --: npx countersign ${name} [options] -- npm test.`
}
