import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.js'
import type { Pdf } from './pdf-kind.js'

/** Milliseconds that reading one PDF may take; the fixtures' take 5. */
const LONGEST = 3_000
/** Megabytes of the thread's heap. */
const LARGEST_HEAP = 256
/** Milliseconds after which the thread is let go when there is nothing to read. */
const IDLE = 10_000

let thread: Promise<Worker> | undefined
let last: Promise<unknown> = Promise.resolve()
let idle: NodeJS.Timeout | undefined

/**
 * Reads a PDF in a thread of its own, one after the other, within limits of time and memory; undefined for one that
 * runs into a limit.
 */
export function readPdf(bytes: Uint8Array): Promise<Pdf | undefined> {
  const result = last.then(() => readNext(bytes))
  last = result.catch(() => {})
  return result
}

async function readNext(bytes: Uint8Array): Promise<Pdf | undefined> {
  clearTimeout(idle)
  thread ??= startThread()
  const worker = await thread
  const copy = Uint8Array.from(bytes)
  worker.postMessage(copy, [copy.buffer])
  const pdf = await answerOf(worker)
  if (pdf === undefined) await endThread()
  else idle = setTimeout(endThread, IDLE).unref()
  return pdf
}

/** How long it takes to start does not count: that depends on the machine, not on the PDF. */
async function startThread(): Promise<Worker> {
  const worker = new Worker(join(packageRoot, 'dist/pdf-worker.js'), {
    resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP },
    execArgv: [],
    env: {},
  })
  await once(worker, 'message')
  // A server that closes does not wait for it.
  worker.unref()
  return worker
}

function answerOf(worker: Worker): Promise<Pdf | undefined> {
  return new Promise((resolve) => {
    const finish = (pdf: Pdf | undefined) => {
      clearTimeout(timer)
      worker.off('message', finish).off('error', fail).off('exit', fail)
      resolve(pdf)
    }
    const fail = () => finish(undefined)
    const timer = setTimeout(fail, LONGEST)
    worker.once('message', finish).once('error', fail).once('exit', fail)
  })
}

async function endThread(): Promise<void> {
  const worker = await thread
  thread = undefined
  // What it may still throw as it ends is of no interest.
  worker?.on('error', () => {})
  await worker?.terminate()
}
