import { type Server, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import plugin from 'fastify-plugin'
import type { AdminRoutes, Api } from './api.js'
import { admin } from './http/admin/index.js'
import { compilersFactory } from './http/admin/input.js'
import { createClientErrorHandler } from './http/client-error.js'
import type {} from './http/decorations.js'
import { Middlewares } from './http/operations/answer.js'
import { apiRoutes } from './http/operations/routes.js'
import { pages } from './http/pages.js'
import { asProblem } from './http/problems.js'
import { readRawBody } from './http/raw-body.js'
import { rewriteUrl } from './http/sandbox-of.js'
import type { Sandboxes } from './sandbox/sandboxes.js'

const HEADERS_TIMEOUT = 8_000
// The engine itself answers a request without a Host, so that the answer is in the journal.
const HTTP = { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000, requireHostHeader: false }

export interface AppParts {
  /** Called with an app that already has `sandboxes`, `answerWith` and `admin`. */
  readonly registerTools?: (app: FastifyInstance) => void
  readonly tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined
  readonly processSecret?: string | undefined
}

export function buildApp(api: Api, sandboxes: Sandboxes, { registerTools, tls, processSecret }: AppParts = {}) {
  const options: FastifyHttpOptions<Server> = {
    logger: false,
    bodyLimit: sandboxes.data.settings.bodyLimit,
    rewriteUrl,
    requestTimeout: 300_000,
    keepAliveTimeout: 60_000,
    // A hanging request would keep the server from closing.
    forceCloseConnections: true,
    http: HTTP,
    routerOptions: { maxParamLength: 16 * 1024 },
    // The type of `compilersFactory` allows only Fastify's compilers.
    schemaController: { compilersFactory: compilersFactory as never },
    clientErrorHandler: createClientErrorHandler(sandboxes),
  }
  const https = tls && { https: { ...HTTP, handshakeTimeout: HEADERS_TIMEOUT, ...tls } }
  const app = Fastify({ ...options, ...https })
  if (tls !== undefined) endUnfinishedHandshakes(app)
  // Ignores an unknown `Expect`, which Node would answer with 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Answers a client that uses the server as a proxy.
  app.server.on('connect', (request, socket) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => (socket as Socket).destroySoon())
    app.server.emit('request', request, response)
  })
  const middlewares = new Middlewares()
  const routes: AdminRoutes[] = [...api.admin]
  app.decorateRequest('exchange', null)
  app.decorate('api', api)
  app.decorate('sandboxes', sandboxes)
  app.decorate('answerWith', (middleware, when) => middlewares.add(middleware, when))
  app.decorate('admin', (more) => void routes.push(more))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readRawBody)
  app.setErrorHandler((error: FastifyError, _, reply) => asProblem(error).send(reply))
  app.register(plugin(async (instance) => registerTools?.(instance)))
  app.register(admin, { prefix: '/__admin', routes, secret: processSecret })
  app.register(pages)
  app.register(apiRoutes, { middlewares })
  return app
}

/** Closing a server does not end connections whose TLS handshake is not complete. */
function endUnfinishedHandshakes(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of connections) socket.destroy()
  })
}
