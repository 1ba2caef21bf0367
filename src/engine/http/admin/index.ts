import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { packageVersion } from '../../../package-root.js'
import { type AdminContext, type AdminRoutes, contractsOf } from '../../api.js'
import { matchesPath } from '../../contract/contract.js'
import { closedObject } from '../../contract/fields.js'
import { didYouMean, quote } from '../../contract/wording.js'
import { registerCors } from '../cors.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'
import { sandboxInUrl } from '../sandbox-of.js'
import { guard, signIn } from './access.js'
import { clock } from './clock.js'
import { events } from './events.js'
import { examples } from './examples.js'
import { files } from './files.js'
import { health } from './health.js'
import { readAdminBody } from './input.js'
import { outbox } from './outbox.js'
import { requests } from './requests.js'
import { sandboxes } from './sandboxes.js'
import { scenarios } from './scenarios.js'
import { state } from './state.js'

const engineRoutes = [health, requests, scenarios, outbox, state, sandboxes, clock, events, examples, files, signIn]

const NO_QUERY = closedObject({})

export async function admin(scope: FastifyInstance, { routes, secret }: { routes: AdminRoutes[]; secret?: string }) {
  const { sandboxes } = scope
  scope.addHook('onRequest', guard(sandboxes, secret))
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', readAdminBody)
  const sandboxOf: AdminContext['sandboxOf'] = (request) => sandboxInUrl(request, sandboxes)
  const context = { contracts: contractsOf(scope.api), sandboxes, version: packageVersion(), sandboxOf }
  await registerCors(scope, 'X-Mock-Error', () => 'GET, PUT, POST, PATCH, DELETE, OPTIONS')
  scope.addHook('onRequest', (request, _, done) => {
    // Throws for an invalid sandbox name.
    sandboxOf(request)
    done()
  })
  const routeNames = new Set<string>()
  scope.addHook('onRoute', (route) => {
    const { method, path, prefix, config, schema } = route
    // A misspelt filter must not be ignored.
    if (config?.access === undefined && path !== `${prefix}/*`) route.schema = { querystring: NO_QUERY, ...schema }
    const name = `${method} ${path.slice(prefix.length + 1)}`
    if (/^(?!HEAD|OPTIONS)\w+ [^*]+$/.test(name)) routeNames.add(name)
  })
  for (const add of [...engineRoutes, ...routes]) add(scope.withTypeProvider<TypeBoxTypeProvider>(), context)
  scope.options('/*', (_, reply) => reply.code(204).send())
  scope.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (request) => throwUnknownRoute(request, [...routeNames]),
  })
}

function throwUnknownRoute(request: FastifyRequest, routes: readonly string[]): never {
  const path = pathParam(request, '*')
  const name = `${request.method.replace('HEAD', 'GET')} ${path}`
  const isMatching = (route: string) => matchesPath(route.slice(route.indexOf(' ') + 1), path)
  const matching = routes.filter(isMatching).map((route) => `${route.split(' ')[0]} ${path}`)
  const hint = didYouMean(name, matching.length > 0 ? matching : routes)
  throw new Problem('not-found', `The admin API has no ${quote(name)}.${hint}`, { routes })
}
