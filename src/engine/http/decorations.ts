import type { AdminRoutes, Api } from '../api.js'
import type { Operation } from '../operation.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { Middleware } from './api/call.js'
import type { BegunExchange } from './api/exchange.js'

/** Everything that our plugins add to Fastify. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the exchange begins, and outside of the API. */
    exchange: BegunExchange | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** A route of admin that answers blocked calls in its own way; a `login` takes a form without the token. */
    access?: 'health' | 'page' | 'login'
  }
  /** What the engine offers to tools (docs/architecture.md). */
  interface FastifyInstance {
    /** With the contracts under the configured interpretations. */
    api: Api
    /** Emits the events of all sandboxes. */
    sandboxes: Sandboxes
    /**
     * Puts a middleware around the decision of calls, inside of those that are there already, and returns a function that
     * takes it away again. By default it is asked for every call, with `asked` only where a call has a preference or a scenario is on.
     */
    answerWith(middleware: Middleware, when?: 'always' | 'asked'): () => void
    /** Adds routes to the admin API. */
    admin(routes: AdminRoutes): void
  }
}
