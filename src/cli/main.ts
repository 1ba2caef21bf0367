import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { InvalidOption } from '../server/invalid-option.js'
import { boundedPrint } from '../text/bounded-print.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Milliseconds that the last output of a server waits for a reader. */
const PATIENCE = 1000

/** Runs this process's command line; only here does it listen to signals, print and exit. */
export async function main(): Promise<never> {
  const { stdout, stderr } = process
  const log = boundedPrint(stdout)
  let isServer = false
  let lost: Error | undefined
  // Without listeners, a full disk or a terminal that went would end a server. Output that is no longer read, as with
  // `head`, is not lost.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost = error
  })
  const interrupted = () => {
    isServer = true
    return new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
  }
  const io: Io = {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    // To a device that is no terminal, such as /dev/null, nothing need be written.
    log: fstatSync(1).isCharacterDevice() && !isatty(1) ? undefined : log,
    progress: stderr.isTTY ? (text) => void stderr.write(`\r\x1b[K${text}`) : undefined,
    colours: { out: isatty(1) && !process.env.NO_COLOR, err: isatty(2) && !process.env.NO_COLOR },
    environment: process.env,
    // Asked for when it is needed: help and version do without.
    get folder() {
      return workingFolder()
    },
    // Only a command that waits for its end takes the signals over.
    get ended() {
      return interrupted()
    },
    get stopped() {
      return interrupted()
    },
  }
  const code = await run(process.argv.slice(2), io)
  const written = () =>
    Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.write('', () => done(stream)))))
  await Promise.race([written(), ...(isServer ? [new Promise((late) => setTimeout(late, PATIENCE))] : [])])
  // Whether the last write failed is known a little later.
  await new Promise(setImmediate)
  if (code !== 0 || lost === undefined || isServer) process.exit(code)
  io.err(`countersign: Standard output cannot be written: ${lost.message}.`)
  await written()
  process.exit(1)
}

/** @throws {InvalidOption} if the working directory no longer exists */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new InvalidOption('The working directory no longer exists. Change to another one.')
  }
}
