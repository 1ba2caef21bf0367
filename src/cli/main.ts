import type { Io } from './command.js'
import { run } from './run.js'

/** Runs this process's command line; only here does it listen to signals, print and exit. */
export async function main(): Promise<never> {
  process.exit(await run(process.argv.slice(2), io))
}

const io: Io = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  colour: process.stderr.isTTY === true && !process.env.NO_COLOR,
  environment: process.env,
  folder: process.cwd(),
  // Only a command that waits for its end takes the signals over.
  get ended() {
    return interrupted()
  },
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
