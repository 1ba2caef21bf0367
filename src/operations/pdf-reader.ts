import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import type { Pdf } from './pdf-kind.js'

/** Milliseconds that reading one PDF may take; the fixtures' take 5. */
const LONGEST = 3_000
/** Megabytes of the process's heap. */
const LARGEST_HEAP = 256
/** Milliseconds that the process may take to start, on however slow a machine. */
const LONGEST_START = 30_000
/** Milliseconds after which the process is let go when there is nothing to read. */
const IDLE = 10_000

const SCRIPT = join(packageRoot, 'dist/pdf-process.js')

let running: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()
let idle: NodeJS.Timeout | undefined

/**
 * Reads a PDF in a process of its own, one after the other, within limits of time and memory; undefined for one that
 * runs into a limit.
 * @throws {Error} where the process cannot be started
 */
export function readPdf(bytes: Uint8Array): Promise<Pdf | undefined> {
  const result = last.then(() => readNext(bytes))
  last = result.catch(() => {})
  return result
}

async function readNext(bytes: Uint8Array): Promise<Pdf | undefined> {
  clearTimeout(idle)
  running ??= await start()
  const child = running
  const pdf = await answerOf(child, bytes)
  if (pdf === undefined) end(child)
  else idle = setTimeout(end, IDLE, child).unref()
  return pdf
}

/** How long it takes to start does not count: that depends on the machine, not on the PDF. */
async function start(): Promise<ChildProcess> {
  const child = fork(SCRIPT, {
    // The executable takes no options of Node's on its command line.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${LARGEST_HEAP}` },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_START)
  await new Promise<void>((resolve, reject) => {
    child
      .once('message', () => resolve())
      .once('error', reject)
      .once('exit', () => reject(earlyEnd()))
  }).finally(() => clearTimeout(timer))
  child.on('error', () => {})
  // Whoever ended it: the next PDF starts another.
  child.once('exit', () => {
    if (running === child) running = undefined
  })
  // A server that closes does not wait for it.
  child.unref()
  child.channel?.unref()
  return child
}

function earlyEnd(): Error {
  const error = new Error('The process that reads PDFs ended before it was ready.')
  return existsSync(SCRIPT) ? error : Object.assign(error, { code: 'ENOENT', path: SCRIPT })
}

function answerOf(child: ChildProcess, bytes: Uint8Array): Promise<Pdf | undefined> {
  return new Promise((resolve) => {
    const finish = (pdf: Pdf | undefined) => {
      clearTimeout(timer)
      child.off('message', finish).off('error', fail).off('exit', fail)
      resolve(pdf)
    }
    const fail = () => finish(undefined)
    const timer = setTimeout(fail, LONGEST)
    child
      .once('message', finish as never)
      .once('error', fail)
      .once('exit', fail)
    child.send(bytes, (error) => {
      if (error !== null) fail()
    })
  })
}

function end(child: ChildProcess): void {
  running = undefined
  child.kill('SIGKILL')
}
