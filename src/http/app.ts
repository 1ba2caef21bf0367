import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Operation } from '../operations/handler.js'
import type { Patience } from '../provider/forward/client.js'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { addAdminDoor } from './admin/door.js'
import { countConnections } from './api/batch-replies.js'
import { type ApiOptions, api } from './api/index.js'
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

/** What an operation takes is checked by its contract, in the journey's own order, so that Fastify needs no compilers. */
const OUR_OWN_CHECKS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas }

/** @throws {Error} for a route that asks Fastify to check it */
function refuseSchemas(): never {
  throw new Error('Routes have no schemas of Fastify: see src/http/api/route.ts.')
}

/** Composes the server: plugins in order, nothing listening yet. */
export function buildApp(operations: readonly Operation[], worlds: Worlds, patience?: Patience): FastifyInstance {
  const { bodyLimit } = worlds.shared.settings
  const app = Fastify({
    ...commonOptions(worlds),
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: 60_000,
    forceCloseConnections: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: 1_000,
      ServerResponse: serverResponse(worlds.root),
    },
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
  addAdminDoor(app, () => adminApp({ operations, worlds, patience }))
  app.register(pages, { worlds })
  app.register(api, { operations, worlds, patience })
  return app
}

/** The admin API, as an app of its own. */
async function adminApp(options: ApiOptions): Promise<FastifyInstance> {
  const { admin } = await import('./admin/index.js')
  const app = Fastify(commonOptions(options.worlds))
  app.register(admin, options)
  await app.ready()
  return app
}

function commonOptions(worlds: Worlds) {
  const { bodyLimit, logLevel } = worlds.shared.settings
  return {
    // Not to the descriptor, which is the logger's default: whoever owns the stream says what a full disk does.
    logger: logLevel === 'silent' ? false : { level: logLevel, stream: process.stdout },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    schemaController: { compilersFactory: OUR_OWN_CHECKS },
    frameworkErrors: (error, request, reply) =>
      refuseUrl(unreadableUrl(error as FastifyError), request as FastifyRequest, reply as FastifyReply, worlds),
  } satisfies FastifyServerOptions
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
