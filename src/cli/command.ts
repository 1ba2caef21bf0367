import type { FileNames } from '../server/complaints-in-words.js'

/** Where a command reads and writes; tests pass their own. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Prints a line while a server runs; skips it if the output is not being read. */
  readonly log: (text: string) => void
  /** Replaces the last line on a terminal while a command works; undefined without a terminal. */
  readonly progress?: ((text: string) => void) | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Where colours may be written; `log` writes where `out` does. */
  readonly colours: { readonly out: boolean; readonly err: boolean }
  /** The working directory. */
  readonly folder: string
  /** The names that the user gave the files of this run, as far as known. */
  names: FileNames
  /** Resolves when the user asks the command to end. */
  readonly ended: Promise<void>
  /** The same, for a command that would end by itself but has something to restore first. */
  readonly stopped?: Promise<void>
}

/** Runs with the words after the command's name; resolves with the exit code. */
export type Command = (argv: readonly string[], io: Io) => Promise<number>
