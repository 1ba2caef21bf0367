import { Candidates } from '../../coverage/mutants/candidates.js'
import { createServer } from '../../server/create-server.js'
import type { Settings } from '../../world/settings.js'
import type { Io } from '../command.js'
import { type Ended, runQuietly, type Words } from '../run-child.js'
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
  readonly command: Words
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
    const { output, ...how } = await runQuietly(command, env, io, AbortSignal.any([signal, ...(late ? [late] : [])]))
    return { ...how, output, candidates, met, duration: performance.now() - began, timeout: late?.aborted === true }
  } finally {
    await server.close()
  }
}
