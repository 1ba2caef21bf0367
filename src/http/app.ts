import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operation } from '../operations/handler.js'
import type { Worlds } from '../world/worlds.js'
import { admin } from './admin/index.js'
import { countConnections } from './api/batch-replies.js'
import { api } from './api/index.js'
import { receiveBody } from './body.js'
import { closePromptly } from './close.js'
import { setDate } from './date.js'
import { answerProblem } from './errors.js'
import { pages } from './pages/index.js'
import { Problem } from './problems.js'
import { refuseConnection } from './refuse-connection.js'
import { serverResponse } from './server-response.js'
import { knownWorldOf } from './world-of.js'

/** Time that a client may take to send a request's head, and its whole; long enough for a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000
const LONGEST_PARAMETER = 4_096

/** Composes the server: plugins in order, nothing listening yet. */
export function buildApp(operations: readonly Operation[], worlds: Worlds): FastifyInstance {
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
    frameworkErrors: (error, request, reply) => {
      setDate(reply as FastifyReply, knownWorldOf(request as FastifyRequest, worlds))
      unreadableUrl(error as FastifyError).send(reply as FastifyReply)
    },
    clientErrorHandler: refuseConnection(worlds.root),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest) => String(await receiveBody(request.raw, bodyLimit)))
  app.setErrorHandler(answerProblem)
  closePromptly(app)
  countConnections(app)
  app.register(admin, { operations, worlds })
  app.register(pages, { worlds })
  app.register(api, { operations, worlds })
  return app
}

function unreadableUrl(error: FastifyError): Problem {
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new Problem('bad-url', `A part of the path is longer than ${LONGEST_PARAMETER} characters: shorten it.`)
  }
  return new Problem(
    'bad-url',
    `The URL cannot be decoded. Encode each part of path and query with encodeURIComponent.`,
  )
}
