import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { withoutQuery } from './sandbox-of.js'

/** With unsupported methods, so that pages can read the 405. */
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

export const EXPOSE_HEADERS = 'access-control-expose-headers'

/** `exposed`: headers that pages of any origin may read; `methodsOf`: the value of `Allow` for a path. */
export async function registerCors(scope: FastifyInstance, exposed: string, methodsOf: (path: string) => string) {
  await scope.register(cors, {
    origin: (origin, callback) => callback(null, origin !== undefined),
    credentials: true,
    exposedHeaders: exposed,
    // The library would treat every OPTIONS as a preflight.
    preflight: false,
  })
  // Register before other hooks: a preflight ends here.
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done()
    reply.header('allow', methodsOf(withoutQuery(request.url)))
    const { origin, 'access-control-request-method': method, 'access-control-request-headers': names } = request.headers
    if (origin === undefined || method === undefined) return done()
    if (names !== undefined) reply.header('access-control-allow-headers', names)
    reply
      .code(204)
      .header('access-control-allow-methods', ALL_METHODS)
      .header('access-control-max-age', 600)
      .header('vary', 'Origin, Access-Control-Request-Headers')
      .send()
  })
}
