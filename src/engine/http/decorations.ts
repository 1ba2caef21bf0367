import type { AdminRoutes, Api } from '../api.js'
import type { Operation } from '../operation.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { Middleware } from './api/call.js'
import type { BegunExchange } from './api/exchange.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside of the API, and before the exchange begins. */
    exchange: BegunExchange | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** How a blocked call is answered; a `login` accepts a form. */
    access?: 'health' | 'page' | 'login'
  }
  interface FastifyInstance {
    api: Api
    sandboxes: Sandboxes
    /** Innermost; returns its removal. With `asked`, only calls with a preference or an active scenario pass it. */
    answerWith(middleware: Middleware, when?: 'always' | 'asked'): () => void
    admin(routes: AdminRoutes): void
  }
}
