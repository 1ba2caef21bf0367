import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Api } from '../engine/api.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Milliseconds to wait until the last output has been read. */
const OUTPUT_TIMEOUT = 1000

export async function main(api: Api): Promise<never> {
  const { stdout, stderr } = process
  let isInterruptible = false
  let outputError: Error | undefined
  // Without listeners, a full disk, a closed terminal or `head` would end a server.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') outputError = error
  })
  const out = (text: string) => void stdout.write(`${text}\n`)
  const io: Io = {
    out,
    err: (text) => void stderr.write(`${text}\n`),
    // Undefined for devices such as /dev/null, which nobody reads.
    log: fstatSync(1).isCharacterDevice() && !isatty(1) ? undefined : out,
    progress: stderr.isTTY ? (text) => void stderr.write(`\r\x1b[K${text}`) : undefined,
    colours: { out: isatty(1) && !process.env.NO_COLOR, err: isatty(2) && !process.env.NO_COLOR },
    environment: process.env,
    folder: process.cwd(),
    waitForSignal(...signals) {
      isInterruptible = true
      return new Promise<NodeJS.Signals>((resolve) => {
        const onSignal = (signal: NodeJS.Signals) => {
          resolve(signal)
          // A later signal ends the process. Not `once`: npm may send it twice, and proper-lockfile would exit at once.
          setTimeout(() => process.off(signal, onSignal), 500).unref()
        }
        for (const signal of signals) process.on(signal, onSignal)
      })
    },
  }
  const code = await run(api, process.argv.slice(2), io)
  const flushes = [stdout, stderr].map((stream) => new Promise((done) => stream.write('', () => done(stream))))
  const timeout = isInterruptible ? [new Promise((done) => setTimeout(done, OUTPUT_TIMEOUT))] : []
  await Promise.race([Promise.all(flushes), ...timeout])
  await new Promise(setImmediate)
  if (outputError === undefined || isInterruptible) process.exit(code)
  const message = `countersign: Standard output cannot be written: ${outputError.message}.\n`
  await new Promise((done) => stderr.write(message, done))
  process.exit(code === 0 ? 1 : code)
}
