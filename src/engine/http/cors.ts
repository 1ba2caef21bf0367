import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './sandbox-of.js'

/** Seconds that a browser may cache a preflight. */
const MAX_AGE = 600

/** Includes unsupported methods, so that a page can read the 405. */
const ANY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const EXPOSE_HEADERS = 'access-control-expose-headers'

/** `exposed`: the headers that pages of any origin may read; `methodsOf`: the value of `Allow` for a path. */
export async function registerCors(
  scope: FastifyInstance,
  exposed: string,
  methodsOf: (path: string) => string,
): Promise<void> {
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.header('allow', methodsOf(pathOf(request.url)))
    // The library does not support OPTIONS without an origin.
    if (request.method === 'OPTIONS' && request.headers.origin === undefined) reply.code(204).send()
    else done()
  })
  scope.addHook('onSend', (_, reply, __, done) => {
    // RFC 9110, section 8.6.
    if (reply.statusCode === 204) reply.removeHeader('content-length')
    done()
  })
  // Before other hooks: a preflight ends here.
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
