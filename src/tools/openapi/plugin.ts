import { oneOf } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { partial, type Resource } from '../../mock/http/admin/resource.js'
import { baseUrlOf } from '../../mock/http/base-url.js'
import { type Html, html } from '../../mock/text/html.js'
import { sendApp } from '../dashboard/plugin.js'
import { openapiVersions } from './versions.js'

const Query = partial({ version: oneOf(openapiVersions) })

export const apiDocs: Resource = (routes, { contracts, version: packageVersion }) => {
  routes.get('/openapi.json', { schema: { querystring: Query } }, async (request) => {
    const { sandbox } = request
    const { switches } = sandbox.settings
    const { version = '3.1' } = request.query
    const { openapiDocument } = await import('./document.js')
    const serverUrl = baseUrlOf(request, sandbox)
    return openapiDocument(contracts, { version, packageVersion, serverUrl, switches })
  })
  routes.get('/docs/', (_, reply) => reply.redirect('../docs'))
  routes.get('/docs', { config: { access: 'page' } }, (request, reply) => {
    const body = docsPage(contracts, request.sandbox.firstUser?.token ?? '')
    // RapiDoc needs inline styles.
    return sendApp(reply, 'countersign · API documentation', ['dashboard', 'docs'], body, "'self' 'unsafe-inline'")
  })
}

/** RapiDoc below the dashboard's bar. Its links are relative, so that they work below any prefix. */
function docsPage(contracts: readonly Contract[], token: string): Html {
  return html`<div id="bar"></div>
<noscript>This page needs JavaScript; the <a href="openapi.json">OpenAPI document</a> does not.</noscript>
<rapi-doc data-token="${token}" ${RAPIDOC}>
<nav class="operations" aria-label="Operations"><ul>
${contracts.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>\n`)}</ul></nav>
</rapi-doc>`
}

/** https://rapidocweb.com/api.html */
const RAPIDOC = html`render-style="read" schema-style="table" fill-request-fields-with-example="true"
 show-header="false" allow-server-selection="false" allow-advanced-search="false" persist-auth="false"
 show-method-in-nav-bar="as-plain-text" response-area-height="auto" load-fonts="false"
 regular-font="system-ui, sans-serif" mono-font="ui-monospace, Menlo, Consolas, monospace"`
