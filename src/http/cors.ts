import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './sandbox-of.js'

/** What web pages of other origins may do and read. */
export interface CrossOrigin {
  /** The methods that a path takes, for `Allow`. */
  readonly methodsOf: (path: string) => string
  readonly exposed: string
}

/** Seconds that a browser may remember what a preflight said. */
const MAX_AGE = 600

/** The methods that a page may try, including unsupported ones, so that the page can read why they are refused. */
const ANY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Lets web pages of other origins call what a scope serves; whoever may not call it was refused before. */
export async function openToOrigins(scope: FastifyInstance, { methodsOf, exposed }: CrossOrigin): Promise<void> {
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.header('allow', methodsOf(pathOf(request.url)))
    // What the library does not answer: a page of a public network that asks for a private one.
    if (request.headers['access-control-request-private-network'] === 'true')
      reply.header('access-control-allow-private-network', 'true')
    // Nor this: no page asks without its origin.
    if (request.method === 'OPTIONS' && request.headers.origin === undefined) reply.code(204).send()
    else done()
  })
  // Before the hooks that follow: a preflight ends there.
  await scope.register(cors, {
    // What names no origin is no page, and its answer needs none of these headers.
    origin: (origin, callback) => callback(null, origin !== undefined),
    credentials: true,
    exposedHeaders: exposed,
    methods: ANY_METHOD,
    maxAge: MAX_AGE,
    strictPreflight: false,
  })
}
