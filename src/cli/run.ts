import { version } from '../package-root.js'
import { InvalidOption } from '../server/invalid-option.js'
import { type Annotation, annotationOf } from '../text/annotation.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import { annotate } from './annotate.js'
import type { Io } from './command.js'
import { commands } from './commands.js'

/** Runs a command line to its end; resolves with the exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [first = 'start'] = argv
  if (wantsHelp(argv) || first === '-h' || first === 'help') {
    io.out((await import('./help.js')).help())
    return 0
  }
  if (first === '--version' || first === '-v') {
    io.out(version())
    return 0
  }
  const named = !first.startsWith('-')
  const entry = commands[named ? first : 'start']
  if (entry === undefined) {
    const hint = `${didYouMean(first, Object.keys(commands))} 'countersign --help' lists all.`
    return fail(io, `There is no command ${quote(first)}.${hint}`)
  }
  const command = await entry.load()
  try {
    return await command(named ? argv.slice(1) : argv, io)
  } catch (error) {
    const message = describeError(error)
    const status = fail(io, message, isMisuse(error) ? entry.misuse : undefined)
    annotate(annotationsOf(error, message), io.err, io)
    return status
  }
}

/** Words after `--` belong to another program, a `--help` among them too. */
function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--help')
}

function fail(io: Io, message: string, status = 1): number {
  io.err(`countersign: ${message}`)
  return status
}

/** A complaint about a file shows there; of a stack, its first line says what is wrong. */
function annotationsOf(error: unknown, message: string): Annotation[] {
  if (error instanceof InvalidFiles) return error.complaints.map(annotationOf)
  return [{ level: 'error', title: 'countersign', message: message.split('\n', 1).join() }]
}

/** What the user can mend: the command line, or a file that it names. */
function isMisuse(error: unknown): error is InvalidOption | InvalidFiles {
  return error instanceof InvalidOption || error instanceof InvalidFiles
}

type SystemError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

/** What went wrong, and what to do; only a bug of ours shows its stack. */
function describeError(error: unknown): string {
  if (isMisuse(error)) return error.message
  const { code, port, address, hostname, message, stack } = error as SystemError
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is already in use. Stop the other program, or use --port 0.`
    case 'EACCES':
      return port === undefined
        ? message
        : `Listening on port ${port} is not permitted. Take one above 1023, or --port 0 for a free one.`
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return `The host ${quote(hostname ?? address ?? '')} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all.`
    default:
      return stack ?? message
  }
}
