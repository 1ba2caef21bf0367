import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { interpretations } from '../../../schemas/interpretations.js'
import { openapiVersions } from '../../docs/openapi/versions.js'
import { baseUrlOf } from '../base-url.js'
import { readQuery } from './input.js'
import type { Resource } from './resource.js'

const Query = Type.Object(
  { version: Type.Optional(Type.Unsafe<(typeof openapiVersions)[number]>({ type: 'string', enum: openapiVersions })) },
  { additionalProperties: false },
)

/** The contract for tools and for people; each is made when it is asked for. */
export const documents: Resource = (scope, { operations, version: packageVersion, worldOf }) => {
  const contracts = operations.map(({ contract }) => contract)
  scope.get('/openapi.json', async (request) => {
    const { version = '3.1' } = readQuery(Query, request.query)
    const { openapiDocument } = await import('../../docs/openapi/index.js')
    const world = worldOf(request)
    return openapiDocument(contracts, {
      version,
      packageVersion,
      serverUrl: baseUrlOf(request, world),
      errorBody: world.settings.readings.errorBody,
    })
  })
  scope.get('/docs', async (request, reply) => {
    const [{ docsPage }, { style }, { script }] = await Promise.all([
      import('../../docs/page/page.js'),
      import('../../docs/page/style.js'),
      import('../../docs/page/script.js'),
    ])
    const world = worldOf(request)
    const [first] = world.state.collection('users').all()
    const page = docsPage(contracts, interpretations, {
      url: baseUrlOf(request, world),
      token: first?.token ?? '',
      errorBody: world.settings.readings.errorBody,
    })
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy(style, script)).send(page)
  })
}

/** Nothing but the page's own style and script, by digest, and calls to this server. */
function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
