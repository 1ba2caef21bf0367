import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operation } from '../operations/handler.js'
import type { Worlds } from '../world/worlds.js'
import { admin } from './admin/index.js'
import { countConnections } from './api/batch-replies.js'
import { api } from './api/index.js'
import type { ServerSettings } from './api/steps/step.js'
import { closePromptly } from './close.js'
import { asProblem } from './errors.js'
import { pages } from './pages/index.js'
import { Problem, type ProblemCode } from './problems.js'

export interface AppOptions {
  readonly operations: readonly Operation[]
  readonly worlds: Worlds
  readonly settings: ServerSettings
  readonly logLevel: string
  readonly version: string
  /** The address to listen on, which decides who may call admin. */
  readonly host: string
  readonly adminToken: string | undefined
}

/** Time that a client may take to send a request's head, and its whole; long enough for a slow upload. */
const HEADERS_TIMEOUT = 8_000
const REQUEST_TIMEOUT = 300_000
const LONGEST_PARAMETER = 4_096

/** Composes the server: plugins in order, nothing listening yet. */
export function buildApp({
  operations,
  worlds,
  settings,
  logLevel,
  version,
  host,
  adminToken,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: logLevel === 'silent' ? false : { level: logLevel },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: settings.bodyLimit,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: 60_000,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: { headersTimeout: HEADERS_TIMEOUT, connectionsCheckingInterval: 1_000 },
    frameworkErrors: (error, _, reply) => void unreadableUrl(error as FastifyError).send(reply as FastifyReply),
    clientErrorHandler: refuseConnection,
  })
  app.decorateRequest('exchange', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply) =>
    asProblem(error, request, settings.bodyLimit).send(reply),
  )
  closePromptly(app)
  countConnections(app)
  app.register(admin, { operations, worlds, version, guard: { host, adminToken }, bodyLimit: settings.bodyLimit })
  app.register(pages, { worlds })
  app.register(api, { operations, worlds, settings })
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

const CONNECTION_FAULTS: Readonly<Record<string, { status: string; code: ProblemCode; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers-too-large',
    detail: 'The request head is larger than 16 KB: send fewer or shorter headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request-timeout',
    detail: 'The request did not arrive in time: send its head within 8 seconds, and all of it within 5 minutes.',
  },
}

/** What is no HTTP at all gets an answer too, and the connection is closed. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const { status, code, detail } = CONNECTION_FAULTS[error.code ?? ''] ?? {
    status: '400 Bad Request',
    code: 'bad-request' as const,
    detail: `The request is not well-formed HTTP: ${error.message}.`,
  }
  const { headersSent, body } = new Problem(code, detail)
  const headers = { ...headersSent, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`)
}
