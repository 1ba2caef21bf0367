import type { Answer } from '../journal/exchange.js'
import type { ReceivedRequest } from '../judge/received-request.js'
import type { Operation } from '../operation.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { Resource } from './admin/routes.js'
import type { Middleware } from './api/call.js'
import type { BegunExchange } from './api/exchange.js'

/** Everything that our plugins add to Fastify. */
declare module 'fastify' {
  interface FastifyRequest {
    /** The root or the sandbox of an admin call. */
    sandbox: Sandbox
    /** Exists on routes of the API alone. */
    begun: BegunExchange
    /** Null until the request is read. */
    received: ReceivedRequest | null
    /** Null for answers that the journal does not keep. */
    answer: Answer | null
    /** True once the journal has the exchange. */
    isEnded: boolean
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** A route of admin that answers blocked calls in its own way; a `login` takes a form without the token. */
    access?: 'health' | 'page' | 'login'
  }
  /** What the mock offers to tools (docs/architecture.md). */
  interface FastifyInstance {
    /** Its events tell what happens in any of them. */
    sandboxes: Sandboxes
    /** Puts a middleware around the decision of each call; the first one stands outermost. */
    answerWith(middleware: Middleware): void
    /** Adds routes to the admin API. */
    admin(resource: Resource): void
  }
}
