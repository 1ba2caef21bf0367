import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import Fastify, { type FastifyError, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Timeouts } from '../tools/http-failures.js'
import { admin } from './http/admin/index.js'
import { compilersFactory } from './http/admin/validator.js'
import { api } from './http/api/index.js'
import { handleClientError } from './http/client-error.js'
import type {} from './http/decorations.js'
import { pages } from './http/pages/index.js'
import { asProblem } from './http/problems.js'
import { readRawBody } from './http/raw-body.js'
import { rewriteUrl } from './http/sandbox-of.js'
import type { Operation } from './operations/handler.js'
import type { Sandboxes } from './sandbox/sandboxes.js'

/** Milliseconds for a request's head, and for the whole of a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000
const KEEP_ALIVE_TIMEOUT = 60_000
const HTTP = { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000 }

/** As long as a request head may be. */
const LONGEST_PARAMETER = 16 * 1024

export interface AppParts {
  readonly timeouts?: Timeouts | undefined
  /** For https. */
  readonly tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined
  /** Opens the admin API to the process that the server runs in. */
  readonly secret?: string | undefined
}

/** Composes the app: plugins in order, nothing listening yet. */
export function buildApp(
  operations: readonly Operation[],
  sandboxes: Sandboxes,
  parts: AppParts = {},
): FastifyInstance {
  const { timeouts, tls, secret } = parts
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
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readRawBody)
  app.setErrorHandler((error: FastifyError, _, reply) => asProblem(error).send(reply))
  app.register(admin, { prefix: '/__admin', contracts: operations.map(({ contract }) => contract), sandboxes, secret })
  app.register(pages, { sandboxes })
  app.register(api, { operations, sandboxes, timeouts })
  return app
}
