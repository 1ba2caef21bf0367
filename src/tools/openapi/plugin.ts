import { oneOf, partial } from '../../engine/contract/fields.js'
import { baseUrlOf } from '../../engine/http/base-url.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import type { Tool } from '../../engine/tool.js'
import { openapiVersions } from './versions.js'

const Query = partial({ version: oneOf(openapiVersions) })

export const openapiTool: Tool<EngineSettings, { readonly preferences: Readonly<Record<string, string>> }> = {
  register(app, _, { preferences }) {
    app.admin((routes, { version: packageVersion, sandboxOf }) => {
      routes.get('/openapi.json', { schema: { querystring: Query } }, async (request) => {
        const sandbox = sandboxOf(request)
        const { switches } = sandbox.settings
        const { version = '3.1' } = request.query
        const { openapiDocument } = await import('./document.js')
        const serverUrl = baseUrlOf(request, sandbox)
        return openapiDocument(routes.api, { version, packageVersion, serverUrl, switches, preferences })
      })
    })
  },
}
