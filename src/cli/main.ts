import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { InvalidOption } from '../server/invalid-option.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Milliseconds that the last output of a server waits for a reader. */
const PATIENCE = 1000

/** Runs this process's command line; only here does it listen to signals, print and exit. */
export async function main(): Promise<never> {
  const { stdout, stderr } = process
  let isInterruptible = false
  let lost: Error | undefined
  // Without listeners, a full disk or a closed terminal would end a server. Output that is no longer read, as with
  // `head`, is not lost.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost = error
  })
  const out = (text: string) => void stdout.write(`${text}\n`)
  const io: Io = {
    out,
    err: (text) => void stderr.write(`${text}\n`),
    // To a device that is no terminal, such as /dev/null, nothing need be written.
    log: fstatSync(1).isCharacterDevice() && !isatty(1) ? undefined : out,
    progress: stderr.isTTY ? (text) => void stderr.write(`\r\x1b[K${text}`) : undefined,
    colours: { out: isatty(1) && !process.env.NO_COLOR, err: isatty(2) && !process.env.NO_COLOR },
    environment: process.env,
    // Getters: help and version need no folder, and only some commands take the signals over.
    get folder() {
      return workingFolder()
    },
    get interrupted() {
      isInterruptible = true
      return new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      })
    },
  }
  const code = await run(process.argv.slice(2), io)
  const written = () =>
    Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.write('', () => done(stream)))))
  await Promise.race([written(), ...(isInterruptible ? [new Promise((late) => setTimeout(late, PATIENCE))] : [])])
  // A failure of the last write is reported a little later.
  await new Promise(setImmediate)
  if (code !== 0 || lost === undefined || isInterruptible) process.exit(code)
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
