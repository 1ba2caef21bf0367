import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Worlds } from '../world/worlds.js'
import { setDate } from './date.js'
import { knownWorldOf } from './world-of.js'

/** What a web page of another origin may do and read. */
export interface CrossOrigin {
  /** The methods that there are. */
  readonly methods: string
  readonly exposed: string
}

/**
 * Lets a web page read an answer: any page where `allows` says so. Only requests that name an origin pay for it, which
 * is why this is no plugin: @fastify/cors costs every request a tenth of its time.
 */
export function allowOrigin(reply: FastifyReply, origin: string, { exposed }: CrossOrigin): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
    vary: 'Origin',
  })
}

/** Seconds that a browser may remember what a preflight said. */
const MAX_AGE = 600

/** The methods that a page may try: one that there is none of, too, so that the page can read why it is refused. */
const ANY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Answers what browsers ask before a call with other methods or headers. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply, { methods }: CrossOrigin): FastifyReply {
  const {
    origin,
    'access-control-request-headers': headers,
    'access-control-request-private-network': local,
  } = request.headers
  if (origin !== undefined) {
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': ANY_METHOD,
      'access-control-max-age': MAX_AGE,
      vary: 'Origin, Access-Control-Request-Headers',
    })
    if (headers !== undefined) reply.header('access-control-allow-headers', headers)
    if (local === 'true') reply.header('access-control-allow-private-network', 'true')
  }
  return reply.code(204).header('allow', `${methods}, OPTIONS`).header('content-length', '0').send()
}

/** Any page may call the API, with any header, and read what the mock adds. */
const apiCrossOrigin: CrossOrigin = {
  methods: 'GET, POST, PUT',
  exposed:
    'X-Mock-Outcome, X-Mock-Exchange, X-Mock-Error, X-Mock-Varied, Preference-Applied, WWW-Authenticate, Retry-After, Allow, Date',
}

/** Opens a scope to pages of every origin. */
export function openToAllOrigins(scope: FastifyInstance, worlds: Worlds): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined) allowOrigin(reply, origin, apiCrossOrigin)
    done()
  })
  scope.options('/*', (request, reply) => {
    setDate(reply, knownWorldOf(request, worlds))
    return answerPreflight(request, reply, apiCrossOrigin)
  })
}
