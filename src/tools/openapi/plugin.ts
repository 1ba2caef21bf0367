import plugin from 'fastify-plugin'
import { oneOf } from '../../engine/contract/fields.js'
import { partial, type Resource } from '../../engine/http/admin/routes.js'
import { baseUrlOf } from '../../engine/http/base-url.js'
import { openapiVersions } from './versions.js'

const Query = partial({ version: oneOf(openapiVersions) })

const document: Resource = (routes, { contracts, version: packageVersion }) => {
  routes.get('/openapi.json', { schema: { querystring: Query } }, async (request) => {
    const { sandbox } = request
    const { switches } = sandbox.settings
    const { version = '3.1' } = request.query
    const { openapiDocument } = await import('./document.js')
    const serverUrl = baseUrlOf(request, sandbox)
    return openapiDocument(contracts, { version, packageVersion, serverUrl, switches })
  })
}

/** Serves the OpenAPI document. */
export const openapi = plugin(async (app) => app.admin(document), { name: 'openapi' })
