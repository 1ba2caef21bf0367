import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Api } from '../engine/api.js'
import type { Io } from './command.js'
import { run } from './run.js'

/** Milliseconds to wait for a reader of the last output. */
const OUTPUT_TIMEOUT = 1000

export async function main(api: Api): Promise<never> {
  const { stdout, stderr } = process
  let isInterruptible = false
  let lost: Error | undefined
  // Without listeners, a full disk, a closed terminal or `head` would end a server.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost = error
  })
  const out = (text: string) => void stdout.write(`${text}\n`)
  const io: Io = {
    out,
    err: (text) => void stderr.write(`${text}\n`),
    // Undefined for devices such as /dev/null.
    log: fstatSync(1).isCharacterDevice() && !isatty(1) ? undefined : out,
    progress: stderr.isTTY ? (text) => void stderr.write(`\r\x1b[K${text}`) : undefined,
    colours: { out: isatty(1) && !process.env.NO_COLOR, err: isatty(2) && !process.env.NO_COLOR },
    environment: process.env,
    folder: process.cwd(),
    // A getter: reading it installs the signal handlers.
    get interrupted() {
      isInterruptible = true
      return new Promise<'SIGINT' | 'SIGTERM'>((resolve) => {
        const end = (signal: 'SIGINT' | 'SIGTERM') => {
          resolve(signal)
          // A second signal ends it at once. Not `once`: the lock of a state exits without another listener.
          setImmediate(() => process.off(signal, end))
        }
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
      })
    },
  }
  const code = await run(api, process.argv.slice(2), io)
  const written = [stdout, stderr].map((stream) => new Promise((done) => stream.write('', () => done(stream))))
  const late = isInterruptible ? [new Promise((done) => setTimeout(done, OUTPUT_TIMEOUT))] : []
  await Promise.race([Promise.all(written), ...late])
  await new Promise(setImmediate)
  if (lost === undefined || isInterruptible) process.exit(code)
  await new Promise((done) => stderr.write(`countersign: Standard output cannot be written: ${lost?.message}.\n`, done))
  process.exit(code === 0 ? 1 : code)
}
