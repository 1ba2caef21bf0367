import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { openapiVersions } from '../../docs/openapi/versions.js'
import { type Html, html } from '../../text/html.js'
import { baseUrlOf } from '../base-url.js'
import { externalPolicy } from '../page-layout.js'
import type { Resource } from './resource.js'

const Query = Type.Object(
  {
    version: Type.Optional(oneOf(openapiVersions)),
  },
  { additionalProperties: false },
)

export const apiDocs: Resource = (routes, { operations, version: packageVersion }) => {
  const contracts = operations.map(({ contract }) => contract)
  routes.get('/openapi.json', { schema: { querystring: Query } }, async (request) => {
    const { world } = request
    const { switches } = world.settings
    const { version = '3.1' } = request.query
    const { openapiDocument } = await import('../../docs/openapi/document.js')
    return openapiDocument(contracts, {
      version,
      packageVersion,
      serverUrl: baseUrlOf(request, world),
      switches,
    })
  })
  routes.get('/docs/', (_, reply) => reply.redirect('../docs'))
  routes.get('/docs', (request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': externalPolicy({ inlineStyles: true }),
        'cache-control': 'no-cache',
      })
      .send(page(contracts, request.world.firstUser?.token ?? '').text),
  )
}

/** RapiDoc below the dashboard's bar. Its links are relative, so that they work below any prefix. */
function page(contracts: readonly Contract[], token: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>countersign · API documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="dashboard.css">
<link rel="stylesheet" href="docs.css">
<script type="module" src="dashboard.js"></script>
<script type="module" src="docs.js"></script>
</head>
<body>
<div id="bar"></div>
<noscript>This page needs JavaScript; the <a href="openapi.json">OpenAPI document</a> does not.</noscript>
<rapi-doc data-token="${token}" ${RAPIDOC}>
<nav class="operations" aria-label="Operations"><ul>
${contracts.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>\n`)}</ul></nav>
</rapi-doc>
</body>
</html>
`
}

/** https://rapidocweb.com/api.html */
const RAPIDOC = html`render-style="read" schema-style="table" fill-request-fields-with-example="true"
 show-header="false" allow-server-selection="false" allow-advanced-search="false" persist-auth="false"
 show-method-in-nav-bar="as-plain-text" response-area-height="auto" load-fonts="false"
 regular-font="system-ui, sans-serif" mono-font="ui-monospace, Menlo, Consolas, monospace"`
