import { commands } from './commands.js'
import { InvalidOption } from '../server/options.js'
import { version } from '../package-root.js'
import { InvalidFiles } from '../text/source-file.js'
import { didYouMean, quote } from '../text/wording.js'

/** Runs a command line; only here does the process listen to signals, print and exit. */
export async function main(argv: readonly string[]): Promise<void> {
  const [first = 'start'] = argv
  if (wantsHelp(argv) || first === '-h' || first === 'help') return print((await import('./help.js')).help())
  if (first === '--version' || first === '-v') return print(version())
  const named = !first.startsWith('-')
  const load = commands[named ? first : 'start']?.load
  if (load === undefined)
    return fail(
      `There is no command ${quote(first)}.${didYouMean(first, Object.keys(commands))} 'countersign --help' lists all.`,
    )
  const command = await load()
  try {
    const code = await command(named ? argv.slice(1) : argv, {
      out: print,
      err: (text) => void process.stderr.write(`${text}\n`),
      environment: process.env,
      folder: process.cwd(),
      // Only a command that waits for its end takes the signals over.
      get ended() {
        return interrupted()
      },
    })
    process.exit(code)
  } catch (error) {
    fail(inWords(error))
  }
}

/** `--help` of ours: what stands after two dashes is another program's. */
function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--help')
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(message: string): never {
  process.stderr.write(`countersign: ${message}\n`)
  process.exit(1)
}

type SystemError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

/** What went wrong, and what to do; only a mistake of ours shows its stack. */
function inWords(error: unknown): string {
  if (error instanceof InvalidOption || error instanceof InvalidFiles) return error.message
  const { code, port, address, hostname, message, stack } = error as SystemError
  switch (code) {
    case 'EADDRINUSE':
      return `The port ${port} on ${address} is taken. Stop what listens there, or start with --port 0 for a free one.`
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
