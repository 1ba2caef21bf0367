import { version } from '../package-root.js'
import { InvalidOption } from '../server/invalid-option.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import { checkEnvironment } from './check-environment.js'
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
    if (entry.environment !== false) checkEnvironment(io)
    return await command(named ? argv.slice(1) : argv, io)
  } catch (error) {
    return fail(io, describeError(error), isMisuse(error) ? entry.misuse : undefined)
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

/** What the user can mend: the command line, or a file that it names. */
function isMisuse(error: unknown): error is InvalidOption | InvalidFiles {
  return error instanceof InvalidOption || error instanceof InvalidFiles
}

/** What went wrong, and what to do; only a bug of ours shows its stack. */
function describeError(error: unknown): string {
  if (isMisuse(error)) return error.message
  const { message, stack } = error as Error
  return stack ?? message
}
