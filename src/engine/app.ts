import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import Fastify, { type FastifyError, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { admin } from './http/admin/index.js'
import type { Resource } from './http/admin/routes.js'
import { compilersFactory } from './http/admin/validator.js'
import type { Middleware } from './http/api/call.js'
import { api } from './http/api/index.js'
import { handleClientError } from './http/client-error.js'
import type {} from './http/decorations.js'
import { pages } from './http/pages.js'
import { asProblem } from './http/problems.js'
import { readRawBody } from './http/raw-body.js'
import { rewriteUrl } from './http/sandbox-of.js'
import type { Operation } from './operation.js'
import type { Sandboxes } from './sandbox/sandboxes.js'

/** Milliseconds for a request's head, and for the whole of a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000
const KEEP_ALIVE_TIMEOUT = 60_000
const HTTP = { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000 }

/** As long as a request head may be. */
const LONGEST_PARAMETER = 16 * 1024

export interface AppParts {
  /** Registers plugins that stand on the mock: they use `sandboxes`, `answerWith` and `admin`. */
  readonly registerTools?: (app: FastifyInstance) => void
  /** For https. */
  readonly tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined
  /** Opens the admin API to the process that the server runs in. */
  readonly secret?: string | undefined
}

/** Composes the app: plugins in order, nothing listening yet. */
export function buildApp(
  operations: readonly Operation[],
  sandboxes: Sandboxes,
  { registerTools, tls, secret }: AppParts = {},
): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    logger: false,
    bodyLimit: sandboxes.shared.settings.bodyLimit,
    rewriteUrl,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    // A hanging request must not keep the server from closing.
    forceCloseConnections: true,
    http: HTTP,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // Typed for Fastify's own compilers alone.
    schemaController: { compilersFactory: compilersFactory as never },
    clientErrorHandler: handleClientError,
  }
  const https = tls && { https: { ...HTTP, handshakeTimeout: HEADERS_TIMEOUT, ...tls } }
  const app = Fastify({ ...options, ...https })
  const middlewares: Middleware[] = []
  const resources: Resource[] = []
  app.decorate('sandboxes', sandboxes)
  app.decorate('answerWith', (middleware) => void middlewares.push(middleware))
  app.decorate('admin', (resource) => void resources.push(resource))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readRawBody)
  app.setErrorHandler((error: FastifyError, _, reply) => asProblem(error).send(reply))
  registerTools?.(app)
  const contracts = operations.map(({ contract }) => contract)
  app.register(admin, { prefix: '/__admin', contracts, resources, secret })
  app.register(pages)
  app.register(api, { operations, middlewares })
  return app
}
