import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const COLLECT = new URL('collect.mjs', import.meta.url).href
const MIB = 1024 * 1024
/** Milliseconds that a server under load may take to collect its garbage. */
const PATIENCE = 30_000

/** MiB of the heap, as in a small container: with gigabytes to spare, garbage lies about for as long as it can. */
const HEAP = 384

/**
 * Starts the built server as a user does, on a free port of 127.0.0.1; only that it collects garbage when asked to, and
 * that its heap is bounded.
 * `node` is the path of the Node that it runs on.
 */
export async function startServed(options, node = process.execPath) {
  const child = spawn(
    node,
    [
      '--expose-gc',
      `--max-old-space-size=${HEAP}`,
      '--import',
      COLLECT,
      CLI,
      'start',
      '--port',
      '0',
      '--no-watch',
      ...options,
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const ended = once(child, 'exit')
  const port = await Promise.race([
    portOf(child.stdout),
    ended.then(([code]) => Promise.reject(new Error(`The server ended with ${code}: run 'npm run build' first.`))),
  ])
  return {
    port,
    /** Resident memory in MiB and open descriptors, as they are. */
    usage: () => usageOf(child.pid),
    /** The same, and the heap in use, when garbage has been collected. */
    async live() {
      child.send('collect')
      const [{ heapUsed }] = await once(child, 'message', { signal: AbortSignal.timeout(PATIENCE) })
      return { ...usageOf(child.pid), heap: heapUsed / MIB }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The port that the banner names; whatever is printed later is read and let go. */
function portOf(stdout) {
  return new Promise((resolve) => {
    let text = ''
    stdout.setEncoding('utf8').on('data', (more) => {
      if (text.length < 10_000) text += more
      const [, port] = /listens at http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? []
      if (port !== undefined) resolve(Number(port))
    })
  })
}

/** @throws {Error} when the process is no more */
function usageOf(pid) {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return { resident: Number(kibibytes) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}
