import type { Operation } from '../operations/handler.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Answer, Call } from './api/call.js'
import type { Arrival, ExchangeResult } from './api/exchange.js'
import type { ParsedRequest } from './api/receive.js'

/** Everything that our plugins add to Fastify. */
declare module 'fastify' {
  interface FastifyRequest {
    /** The root or the sandbox of an admin call. */
    sandbox: Sandbox
    /** Exists on routes of the API alone. */
    arrival: Arrival
    /** Null until the request is read. */
    received: ParsedRequest | null
    /** Null for answers that the journal does not keep. */
    result: ExchangeResult | null
    /** True once the journal has the exchange. */
    recorded: boolean
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** A route of admin that answers refused calls in its own way; a `login` takes a form without the token. */
    access?: 'health' | 'page' | 'login'
  }
  interface FastifyInstance {
    /** The provider's answer, or with `--fallback` the reason why there is none. @throws {Problem} without either */
    askProvider(call: Call): Promise<Answer | string>
  }
}
