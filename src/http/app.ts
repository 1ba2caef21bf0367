import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Operation } from '../operations/handler.js'
import type { Timeouts } from '../provider/forward/client.js'
import type { Worlds } from '../world/worlds.js'
import { admin } from './admin/index.js'
import { api, EXPOSED } from './api/index.js'
import { answerUnreadableUrl, LONGEST_PARAMETER, unreadableUrl } from './api/unreadable-url.js'
import { receiveBodies } from './body.js'
import { closePromptly } from './close.js'
import { compilersFactory } from './compilers.js'
import { openUnrouted } from './cors.js'
import { showFrozenTime } from './date.js'
import { answerProblem } from './errors.js'
import { isPage, pages } from './pages/index.js'
import { answerForNode, refuseConnection, rememberReplies } from './refuse-connection.js'
import { type Chosen, worldCalled } from './sandbox-ways.js'
import { readUnreadBodies } from './unread-bodies.js'
import { pathOf, urlInWorld } from './world-of.js'

/** Milliseconds that a client may take to send a request's head, and its whole; long enough for a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000
const KEEP_ALIVE_TIMEOUT = 60_000
/** Node would refuse a request without Host without a word. */
const HTTP = { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000, requireHostHeader: false }

export interface AppParts {
  /** How long to wait for a provider. */
  readonly timeouts?: Timeouts | undefined
  /** The certificate and key to serve https with, in place of http. */
  readonly tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined
}

/** Composes the server: plugins in order, nothing listening yet. */
export function buildApp(operations: readonly Operation[], worlds: Worlds, parts: AppParts = {}): FastifyInstance {
  const { timeouts, tls } = parts
  const https = tls && { https: { ...HTTP, handshakeTimeout: HEADERS_TIMEOUT, ...tls } }
  const app = Fastify({ ...options(worlds), ...https })
  // What is longer than a head may be is refused; all of the others go on to a provider.
  app.server.maxHeadersCount = 0
  answerForNode(app, worlds.root)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.setErrorHandler(answerProblem)
  closePromptly(app)
  receiveBodies(app, worlds.shared.settings.bodyLimit)
  rememberReplies(app)
  readUnreadBodies(app)
  showFrozenTime(app, worlds)
  app.register(admin, { prefix: '/__admin', operations, worlds })
  app.register(pages, { worlds })
  app.register(api, { operations, worlds, timeouts })
  return app
}

function options(worlds: Worlds): FastifyHttpOptions<Server> {
  const { bodyLimit } = worlds.shared.settings
  return {
    bodyLimit,
    rewriteUrl: ({ url = '/' }) => urlInWorld(url),
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    forceCloseConnections: false,
    http: HTTP,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // Typed for Fastify's own compilers alone.
    schemaController: { compilersFactory: compilersFactory as never },
    clientErrorHandler: refuseConnection(worlds.root),
    frameworkErrors: (error, request, reply) =>
      refuseUrl(error as FastifyError, request as FastifyRequest, reply as FastifyReply, worlds),
  }
}

/** Only calls of the API are in a journal, and open to pages of other origins. */
function refuseUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply, worlds: Worlds): void {
  const unreadable = unreadableUrl(error)
  const { method, url } = request
  const path = pathOf(url)
  const isOfApi = !path.startsWith('/__admin') && !isPage(path)
  if (isOfApi && openUnrouted(request, reply, EXPOSED)) reply.code(204).send()
  else if (!isOfApi || method === 'OPTIONS') unreadable.problem.send(reply)
  else answerUnreadableUrl(unreadable, chosenOf(request, worlds), request, reply)
}

/** The world that a request names; the root where it names none, or one badly. */
function chosenOf({ originalUrl: url, headers }: FastifyRequest, worlds: Worlds): Chosen {
  try {
    return worldCalled({ url, headers, tokenHeaders: [] }, worlds)
  } catch {
    return { world: worlds.root, by: null }
  }
}
