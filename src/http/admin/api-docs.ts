import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { contractsUnder } from '../../../schemas/contracts-under.js'
import { interpretations } from '../../../schemas/interpretations.js'
import { statements } from '../../../schemas/statements.js'
import { openapiVersions } from '../../docs/openapi/versions.js'
import { asset } from '../../package-root.js'
import { baseUrlOf } from '../base-url.js'
import { contentSecurityPolicy } from '../content-security-policy.js'
import type { Resource } from './resource.js'

const Query = Type.Object(
  {
    version: Type.Optional(oneOf(openapiVersions)),
  },
  { additionalProperties: false },
)

/** The contract for tools and for people; each is made when it is asked for. */
export const apiDocs: Resource = (routes, { operations, version: packageVersion, worldOf }) => {
  const contracts = operations.map(({ contract }) => contract)
  routes.get('/openapi.json', { schema: { querystring: Query } }, async (request) => {
    const world = worldOf(request)
    const { readings } = world.settings
    const { version = '3.1' } = request.query
    const { openapiDocument } = await import('../../docs/openapi/document.js')
    return openapiDocument(contractsUnder(contracts, readings), {
      version,
      packageVersion,
      serverUrl: baseUrlOf(request, world),
      readings,
    })
  })
  routes.get('/docs/', (_, reply) => reply.redirect('../docs'))
  routes.get('/docs', async (request, reply) => {
    const { docsPage } = await import('../../docs/page/page.js')
    const world = worldOf(request)
    const assets = { style: asset('docs.css'), script: asset('docs.js') }
    const { readings } = world.settings
    const page = docsPage(contractsUnder(contracts, readings), statements, interpretations, {
      ...assets,
      url: baseUrlOf(request, world),
      token: world.firstUser?.token ?? '',
      readings,
    })
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy({ ...assets, loads: true }))
      .send(page)
  })
}
