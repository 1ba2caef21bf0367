import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operation } from '../operations/handler.js'
import type { Patience } from '../provider/forward/client.js'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { admin } from './admin/index.js'
import { countConnections } from './api/batch-replies.js'
import { api } from './api/index.js'
import { answerUnreadableUrl, LONGEST_PARAMETER, type UnreadableUrl, unreadableUrl } from './api/unreadable-url.js'
import { receiveBody } from './body.js'
import { closePromptly } from './close.js'
import { holdContinue } from './continue.js'
import { setDate } from './date.js'
import { answerProblem } from './errors.js'
import { isPage, pages } from './pages/index.js'
import { refuseConnection } from './refuse-connection.js'
import { serverResponse } from './server-response.js'
import { knownWorldOf, pathInWorld, sandboxNamed } from './world-of.js'

/** Time that a client may take to send a request's head, and its whole; long enough for a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000

/** Composes the server: plugins in order, nothing listening yet. */
export function buildApp(operations: readonly Operation[], worlds: Worlds, patience?: Patience): FastifyInstance {
  const { bodyLimit, logLevel } = worlds.shared.settings
  const app = Fastify({
    // Not to the descriptor, which is the logger's default: whoever owns the stream says what a full disk does.
    logger: logLevel === 'silent' ? false : { level: logLevel, stream: process.stdout },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: 60_000,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 1_000,
      ServerResponse: serverResponse(worlds.root),
    },
    frameworkErrors: (error, request, reply) =>
      refuseUrl(unreadableUrl(error as FastifyError), request as FastifyRequest, reply as FastifyReply, worlds),
    clientErrorHandler: refuseConnection(worlds.root),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest) => String(await receiveBody(request.raw, bodyLimit)))
  app.setErrorHandler(answerProblem)
  closePromptly(app)
  countConnections(app)
  holdContinue(app, worlds)
  // What is longer than a head may be is refused; all of the others go on to a provider.
  app.server.maxHeadersCount = 0
  app.register(admin, { operations, worlds })
  app.register(pages, { worlds })
  app.register(api, { operations, worlds, patience })
  return app
}

/** Only calls of the API are in a journal. */
function refuseUrl(unreadable: UnreadableUrl, request: FastifyRequest, reply: FastifyReply, worlds: Worlds): void {
  const world = namedWorldOf(request, worlds)
  if (world !== undefined) return answerUnreadableUrl(unreadable, world, request, reply)
  setDate(reply, knownWorldOf(request, worlds))
  unreadable.problem.send(reply)
}

/** The world whose API a URL calls, made on first use; undefined for admin, pages and preflights. */
function namedWorldOf(request: FastifyRequest, worlds: Worlds): World | undefined {
  const { method, url = '' } = request.raw
  const path = pathInWorld(url)
  if (method === 'OPTIONS' || path.startsWith('/__admin') || isPage(path)) return undefined
  return worlds.sandbox(sandboxNamed(url)) ?? worlds.root
}
