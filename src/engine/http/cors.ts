import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './sandbox-of.js'

const MAX_AGE = 600

/** With unsupported methods, so that pages can read the 405. */
const ANY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const EXPOSE_HEADERS = 'access-control-expose-headers'

/** `exposed`: headers that pages of any origin may read; `methodsOf`: the value of `Allow` for a path. */
export async function registerCors(
  scope: FastifyInstance,
  exposed: string,
  methodsOf: (path: string) => string,
): Promise<void> {
  scope.addHook('onSend', (_, reply, __, done) => {
    // RFC 9110, section 8.6.
    if (reply.statusCode === 204) reply.removeHeader('content-length')
    done()
  })
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.header('allow', methodsOf(pathOf(request.url)))
    done()
  })
  const shared = { credentials: true, exposedHeaders: exposed, methods: ANY_METHOD, maxAge: MAX_AGE }
  // Before other hooks: a preflight ends here. Only web pages send an origin.
  await scope.register(cors, {
    delegator: ({ headers }, callback) => {
      const preflight = headers['access-control-request-method'] !== undefined
      callback(null, { ...shared, origin: headers.origin !== undefined, preflight })
    },
  })
}
