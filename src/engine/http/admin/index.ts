import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invitations } from '../../../api/invitations/admin.js'
import { version } from '../../../package-root.js'
import type { Contract } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import { registerCors } from '../cors.js'
import { Problem } from '../problems.js'
import { sandboxInUrl } from '../sandbox-of.js'
import { readAdminBody } from './body.js'
import { clock } from './clock.js'
import { events } from './events.js'
import { examples } from './examples.js'
import { files } from './files.js'
import { guard } from './guard.js'
import { health } from './health.js'
import { outbox } from './outbox.js'
import { requests } from './requests.js'
import type { Resource } from './routes.js'
import { sandboxes } from './sandboxes.js'
import { scenarios } from './scenarios.js'
import { session } from './session.js'
import { state } from './state.js'

const ownResources: readonly Resource[] = [
  health,
  requests,
  scenarios,
  invitations,
  outbox,
  state,
  sandboxes,
  clock,
  events,
  examples,
  files,
  session,
]

export interface AdminOptions {
  readonly contracts: readonly Contract[]
  /** Those that plugins add. */
  readonly resources: readonly Resource[]
  /** Opens the admin API to the process that the server runs in. */
  readonly secret: string | undefined
}

/** The admin API of the root and of every sandbox. */
export async function admin(scope: FastifyInstance, { contracts, resources, secret }: AdminOptions): Promise<void> {
  const { sandboxes } = scope
  scope.decorateRequest('sandbox', null as never)
  scope.addHook('onRequest', guard(sandboxes, secret))
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', readAdminBody)
  const context = { contracts, sandboxes, version: version() }
  await registerCors(scope, 'X-Mock-Error', () => 'GET, PUT, POST, PATCH, DELETE, OPTIONS')
  scope.addHook('onRequest', (request, _, done) => {
    request.sandbox = sandboxInUrl(request, sandboxes)
    done()
  })
  const known = new Set<string>()
  scope.addHook('onRoute', ({ method, path, prefix }) => {
    const name = `${method} ${path.slice(prefix.length + 1)}`
    if (/^(?!HEAD|OPTIONS)\w+ [^*]+$/.test(name)) known.add(name)
  })
  for (const resource of [...ownResources, ...resources])
    resource(scope.withTypeProvider<TypeBoxTypeProvider>(), context)
  scope.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (request) => unknown(request, [...known]),
  })
}

function unknown(request: FastifyRequest, known: readonly string[]): never {
  const { '*': path = '' } = request.params as { '*'?: string }
  const asked = `${request.method.replace('HEAD', 'GET')} ${path}`
  const ofPath = known.filter((route) => isRouteOf(route, path)).map((route) => `${route.split(' ')[0]} ${path}`)
  const hint = didYouMean(asked, ofPath.length > 0 ? ofPath : known)
  throw new Problem('not-found', `The admin API has no ${quote(asked)}.${hint}`, { routes: known })
}

/** True if a path is one of a route such as `POST scenarios/:name/reset`. */
function isRouteOf(route: string, path: string): boolean {
  const [pattern, segments] = [route.slice(route.indexOf(' ') + 1).split('/'), path.split('/')]
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}
