import type { onRequestHookHandler } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import type { SandboxSelector } from '../../world/journal/exchange.js'
import type { Begun } from '../../world/journal/journal.js'
import type { World } from '../../world/world.js'
import type { Worlds } from '../../world/worlds.js'
import { Problem } from '../problems.js'
import { chooseSandbox } from '../sandbox-selectors.js'
import { isDecodable } from '../world-of.js'
import { recordAborted } from './record.js'

/** What is known of a request when it arrives: whose it is, and the exchange that begins with it. */
export interface Arrival {
  readonly world: World
  /** How the request names its sandbox; null for the root. */
  readonly sandboxBy: SandboxSelector | null
  /** Null if no operation matches. */
  readonly contract: Contract | null
  readonly exchange: Begun
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** Milliseconds, as `performance.now()` counts them. */
  readonly started: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for admin and pages, and before the sandbox is chosen. */
    arrival: Arrival | null
    /** Whether the journal has the exchange. */
    recorded: boolean
  }
}

/** Chooses the sandbox of a call and begins its exchange. */
export function beginExchange(worlds: Worlds): onRequestHookHandler {
  return (request, reply, done) => {
    const { originalUrl: url, headers, routeOptions } = request
    const unreadable = isDecodable(url)
      ? undefined
      : new Problem('bad-url', `The URL cannot be decoded. ${ENCODE}`).at('url', ENCODE)
    const contract = (unreadable === undefined && routeOptions.config.operation?.contract) || null
    try {
      const chosen = chooseSandbox({ url, headers, tokenHeaders: contract?.tokenHeaders ?? [] }, worlds)
      request.arrival = begin(chosen, contract)
      done(unreadable)
    } catch (error) {
      request.arrival = begin({ world: worlds.root, by: null }, contract)
      done(unreadable ?? (error as Error))
    }
    // A client that hangs up gets nothing; the journal says so.
    reply.raw.once('close', () => recordAborted(request))
  }
}

function begin({ world, by }: ReturnType<typeof chooseSandbox>, contract: Contract | null): Arrival {
  return {
    world,
    sandboxBy: by,
    contract,
    exchange: world.journal.begin(),
    at: world.clock.now(),
    started: performance.now(),
  }
}

const ENCODE = 'Encode each part of path and query with encodeURIComponent.'
