import type { AdminRoutes, Api } from '../api.js'
import type { Operation } from '../operation.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { Middleware } from './operations/call.js'
import type { PendingHttpExchange } from './operations/pending-exchange.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside of the API, and before the exchange begins. */
    exchange: PendingHttpExchange | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** How the guard answers a blocked call; a `login` accepts a form. */
    access?: 'health' | 'page' | 'login'
  }
  interface FastifyInstance {
    api: Api
    sandboxes: Sandboxes
    /** Returns a function that removes the middleware. `onDemand`: only for calls with a preference or a scenario. */
    answerWith(middleware: Middleware, when?: 'always' | 'onDemand'): () => void
    admin(routes: AdminRoutes): void
  }
}
