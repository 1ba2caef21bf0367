import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a target in a process of its own; `config` is what it is told through its environment. */
export async function startTarget(name, config = {}, execArgv = []) {
  const file = fileURLToPath(new URL(`targets/${name}.mjs`, import.meta.url))
  const child = fork(file, { env: { ...process.env, BENCH: JSON.stringify(config) }, execArgv, silent: true })
  // What it prints is read, as by whoever looks at a terminal.
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  const [{ url }] = await once(child, 'message')
  return {
    name,
    url,
    /** CPU time in microseconds, and memory in bytes, up to now. */
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
