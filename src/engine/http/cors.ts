import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './sandbox-of.js'

/** Seconds. */
const MAX_AGE = 600

/** With unsupported methods, so that pages can read the 405. */
const ANY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const EXPOSE_HEADERS = 'access-control-expose-headers'

/** `exposed`: headers that pages may read; `methodsOf`: `Allow` by path. */
export async function registerCors(
  scope: FastifyInstance,
  exposed: string,
  methodsOf: (path: string) => string,
): Promise<void> {
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.header('allow', methodsOf(pathOf(request.url)))
    // The library needs an origin.
    if (request.method === 'OPTIONS' && request.headers.origin === undefined) reply.code(204).send()
    else done()
  })
  scope.addHook('onSend', (_, reply, __, done) => {
    // RFC 9110, section 8.6.
    if (reply.statusCode === 204) reply.removeHeader('content-length')
    done()
  })
  // A preflight ends before other hooks.
  await scope.register(cors, {
    // Only web pages send an origin.
    origin: (origin, callback) => callback(null, origin !== undefined),
    credentials: true,
    exposedHeaders: exposed,
    methods: ANY_METHOD,
    maxAge: MAX_AGE,
    strictPreflight: false,
  })
}
