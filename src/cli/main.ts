import { fstatSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { InvalidOption } from '../server/invalid-option.js'
import { boundedPrint } from '../text/bounded-print.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Runs this process's command line; only here does it listen to signals, print and exit. */
export async function main(): Promise<never> {
  // Without listeners, a full disk or a terminal that went would end a server.
  process.stderr.on('error', () => {})
  process.stdout.on('error', onLoss)
  const code = await run(process.argv.slice(2), io)
  await settled()
  if (code !== 0 || loss === undefined) process.exit(code)
  tell(loss)
  await settled()
  process.exit(1)
}

/** Waits until all output is written; a command that was told to end does not wait long for a reader. */
async function settled(): Promise<void> {
  const streams = [process.stdout, process.stderr]
  await Promise.race([flushed(streams), ...(served ? [new Promise((late) => setTimeout(late, PATIENCE))] : [])])
  // Whether the last write failed is known a little later.
  await new Promise(setImmediate)
}

/** How long the last output of a server waits for a reader, in milliseconds. */
const PATIENCE = 1000

/** Whether the command runs until it is told to end. */
let served = false

const io: Io = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  log: isDiscarded(1) ? undefined : boundedPrint(process.stdout),
  progress: process.stderr.isTTY ? (text) => void process.stderr.write(`\r\x1b[K${text}`) : undefined,
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

/** @throws {InvalidOption} if the working directory no longer exists */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new InvalidOption('The working directory no longer exists. Change to another one.')
  }
}

/** Whether what is written there goes nowhere: to /dev/null. */
function isDiscarded(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor)
  } catch {
    return false
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

/** Why the output is incomplete. */
let loss: Error | undefined

/** Output that is no longer read, as with `head`, does not count as lost. */
function onLoss(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') loss = error
}

function tell({ message }: Error): void {
  io.err(`countersign: Standard output cannot be written: ${message}.`)
}

/** Resolves once all output has left this process, or is lost because it is no longer read. */
async function flushed(streams: readonly Writable[]): Promise<void> {
  await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.write('', () => done()))))
}
