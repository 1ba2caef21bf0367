import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { version } from '../../package-root.js'
import { didYouMean, quote } from '../../text/wording.js'
import type { World } from '../../world/world.js'
import type { ApiOptions } from '../api/index.js'
import { setDate } from '../date.js'
import { answerProblem } from '../errors.js'
import { Problem } from '../problems.js'
import { knownWorldOf, worldOf } from '../world-of.js'
import { apiDocs } from './api-docs.js'
import { readAdminBody } from './body.js'
import { clock } from './clock.js'
import { coverage } from './coverage.js'
import { dashboard } from './dashboard.js'
import { events } from './events.js'
import { guard } from './guard.js'
import { health } from './health.js'
import { invitations } from './invitations.js'
import { mailpit } from './mailpit.js'
import { outbox } from './outbox.js'
import { requests } from './requests.js'
import type { AdminContext, AdminRoutes, Resource } from './resource.js'
import { sandboxes } from './sandboxes.js'
import { scenarios } from './scenarios.js'
import { session } from './session.js'
import { state } from './state.js'

/** Every resource of the admin API. */
const resources: readonly Resource[] = [
  health,
  requests,
  scenarios,
  invitations,
  outbox,
  mailpit,
  state,
  sandboxes,
  clock,
  coverage,
  events,
  apiDocs,
  dashboard,
  session,
]

/** The admin API, for the root and for every sandbox. */
export async function admin(scope: FastifyInstance, { operations, worlds }: ApiOptions): Promise<void> {
  const { bodyLimit } = worlds.shared.settings
  scope.decorateRequest('world', null)
  scope.addHook(
    'onRequest',
    guard(() => worlds.shared.settings),
  )
  scope.addHook('onRequest', (request, _, done) => {
    // A preflight must not make a sandbox.
    if (request.method !== 'OPTIONS') request.world = worldOf(request, worlds)
    done()
  })
  scope.addHook('onSend', (request, reply, _, done) => {
    setDate(reply, request.world ?? knownWorldOf(request, worlds))
    done()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', readAdminBody(bodyLimit))
  scope.setErrorHandler(answerProblem)
  const context: AdminContext = { operations, worlds, version: version(), worldOf: (request) => request.world as World }
  const known = routesOf(context)
  for (const prefix of ['/__admin', '/~:sandbox/__admin']) {
    scope.register(
      async (here) => {
        for (const resource of resources) resource(here, context)
        // Preflights are answered by the guard; the route is there for them to arrive at.
        here.options('/*', (_, reply) => void reply.code(204).send())
        here.route({
          method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          url: '/*',
          handler: (request) => unknown(request, known),
        })
      },
      { prefix },
    )
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    world: World | null
  }
}

/** The routes of all resources, as `GET requests/:id`, found by registering them on a recorder. */
function routesOf(context: AdminContext): string[] {
  const routes: string[] = []
  const record = (method: string) => (path: string) => void routes.push(`${method} ${path.slice(1)}`)
  const recorder: Record<keyof AdminRoutes, (path: string) => void> = {
    get: record('GET'),
    put: record('PUT'),
    post: record('POST'),
    patch: record('PATCH'),
    delete: record('DELETE'),
  }
  for (const resource of resources) resource(recorder as never, context)
  return routes
}

function unknown(request: FastifyRequest, known: readonly string[]): FastifyReply {
  const { '*': path = '' } = request.params as { '*'?: string }
  const asked = `${request.method.replace('HEAD', 'GET')} ${path}`
  throw new Problem('not-found', `Admin has no ${quote(asked)}.${didYouMean(asked, known)}`, { routes: known })
}
