import type { Writable } from 'node:stream'
import { InvalidOption } from '../server/invalid-option.js'
import { BoundedWriter } from '../text/bounded-writer.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Runs this process's command line; only here does it listen to signals, print and exit. */
export async function main(): Promise<never> {
  // Without listeners, a full disk or a terminal that went would end a server.
  process.stderr.on('error', () => {})
  process.stdout.on('error', onLoss)
  const code = await run(process.argv.slice(2), io)
  log.flush()
  await settled()
  if (code !== 0 || loss === undefined) process.exit(code)
  tell(loss)
  await settled()
  process.exit(1)
}

/** Waits until all that was printed has left; what was asked to end does not wait long for a reader. */
async function settled(): Promise<void> {
  const streams = [process.stdout, process.stderr]
  await Promise.race([flushed(streams), ...(served ? [new Promise((late) => setTimeout(late, PATIENCE))] : [])])
  // Whether the last write failed is known a little later.
  await new Promise(setImmediate)
}

/** How long the last words of a server wait for a reader, in milliseconds. */
const PATIENCE = 1000

/** Whether the command was one that waits for its end. */
let served = false

const log = new BoundedWriter(process.stdout)

const io: Io = {
  out: (text) => {
    log.flush()
    process.stdout.write(`${text}\n`)
  },
  err: (text) => void process.stderr.write(`${text}\n`),
  log: log.write,
  colours: { out: takesColour(process.stdout), err: takesColour(process.stderr) },
  environment: process.env,
  // Asked for when it is needed: help and version do without.
  get folder() {
    return workingFolder()
  },
  names: { written: {} },
  // Only a command that waits for its end takes the signals over.
  get ended() {
    return interrupted()
  },
  get stopped() {
    return interrupted()
  },
}

/** @throws {InvalidOption} where the folder that the program was started in is gone */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new InvalidOption('The working directory does not exist any more: change to another one.')
  }
}

function takesColour({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && !process.env.NO_COLOR
}

function interrupted(): Promise<void> {
  served = true
  // A server does what it is asked to, whether or not that can be printed.
  process.stdout.off('error', onLoss).on('error', () => {})
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** Why what was printed is not whole. */
let loss: Error | undefined

/** Nothing is lost where nobody reads any more, as behind `head`. */
function onLoss(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') loss = error
}

function tell({ message }: Error): void {
  io.err(`countersign: Standard output cannot be written: ${message}.`)
}

/** Resolves once all that was written to the streams has left this process, or is lost since nobody reads it. */
async function flushed(streams: readonly Writable[]): Promise<void> {
  await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.write('', () => done()))))
}
