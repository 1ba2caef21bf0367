import { spawn } from 'node:child_process'
import { Candidates } from '../../coverage/mutants/candidates.js'
import { createServer } from '../../server/create-server.js'
import type { Settings } from '../../world/settings.js'
import type { Io } from '../command.js'
import { type Ended, ended, endedBy, unrunnable } from '../run-child.js'
import { suiteEnvironment } from '../suite.js'

/** A run of a suite against a server of its own. */
export interface SuiteRun extends Ended {
  readonly candidates: Candidates
  /** Whether the mutant altered an answer. */
  readonly met: boolean
  /** Milliseconds. */
  readonly duration: number
  readonly timeout: boolean
  /** The end of what it printed. */
  readonly output: string
}

export interface Suite {
  readonly command: readonly [string, ...(readonly string[])]
  readonly settings: Settings
  readonly io: Io
  /** Ends the run where it is aborted. */
  readonly signal: AbortSignal
}

/** Runs a suite once, with or without a mutant; `limit` in milliseconds. */
export async function runSuite(
  { command, settings, io, signal }: Suite,
  mutant?: string,
  limit?: number,
): Promise<SuiteRun> {
  const candidates = new Candidates()
  let met = false
  // A fresh world for each run: what an earlier one stored is not there, and none is stored.
  const { persist: _, ...others } = settings
  const own = { ...others, port: 0, watch: false, ...(mutant !== undefined && { mutant }) }
  const server = await createServer(own, {
    onExchange: (exchange) => {
      met ||= exchange.mutant !== null
      if (mutant === undefined) candidates.meet(exchange)
    },
  })
  try {
    const env = suiteEnvironment(await server.listen(), server, io)
    const began = performance.now()
    const late = limit === undefined ? undefined : AbortSignal.timeout(limit)
    const { output, ...how } = await runQuietly(
      command,
      env,
      io.folder,
      AbortSignal.any([signal, ...(late ? [late] : [])]),
    )
    return { ...how, output, candidates, met, duration: performance.now() - began, timeout: late?.aborted === true }
  } finally {
    await server.close()
  }
}

/** Characters of what a suite prints. */
const KEPT = 4_000

/** Runs a program whose output nobody sees; its children end with it. */
function runQuietly(
  [command, ...args]: Suite['command'],
  env: NodeJS.ProcessEnv,
  cwd: string,
  signal: AbortSignal,
): Promise<Ended & { readonly output: string }> {
  const detached = process.platform !== 'win32'
  const child = spawn(command, args, { env, cwd, detached, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT)
    })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(detached ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  return new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve(unrunnable(command, error)))
    // What it leaves behind may hold its output open.
    child.once('exit', (code, by) => {
      kill()
      resolve(by === null ? ended(code ?? 0) : endedBy(by))
    })
  })
    .finally(() => signal.removeEventListener('abort', kill))
    .then((how) => ({ ...how, output }))
}
