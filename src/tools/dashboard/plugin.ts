import type { FastifyReply } from 'fastify'
import plugin from 'fastify-plugin'
import type { Resource } from '../../engine/http/admin/routes.js'
import { type Html, html } from '../../engine/http/html.js'
import { htmlDocument } from '../../engine/http/page-layout.js'
import { pathOf } from '../../engine/http/sandbox-of.js'
import { asset } from '../../package-root.js'

const NO_SCRIPT = html`<noscript>The dashboard needs JavaScript; the admin API does not.</noscript>`

const resource: Resource = (routes) => {
  routes.get('/', { config: { access: 'page' } }, (request, reply) => {
    // The page's links are relative to the address with the slash.
    if (!pathOf(request.url).endsWith('/')) return reply.redirect('__admin/')
    return sendApp(reply, 'countersign', ['dashboard'], NO_SCRIPT)
  })
  for (const name of ['dashboard.js', 'dashboard.css', 'docs.js', 'docs.css', 'editor.js']) {
    routes.get(`/${name}`, (_, reply) =>
      reply
        .headers({
          'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        .send(asset(name)),
    )
  }
  routes.get('/docs/', (_, reply) => reply.redirect('../docs'))
  routes.get('/docs', { config: { access: 'page' } }, (request, reply) => {
    const body = docsPage(request.sandbox.firstUser?.token ?? '')
    // RapiDoc needs inline styles.
    const { name } = request.sandbox
    const title = ['Docs', ...(name === null ? [] : [`~${name}`]), 'countersign'].join(' · ')
    return sendApp(reply, title, ['dashboard', 'docs'], body, "'self' 'unsafe-inline'")
  })
}

/** Serves the dashboard, of which the docs are a view. */
export const dashboard = plugin(async (app) => app.admin(resource), {
  name: 'dashboard',
  dependencies: ['coverage', 'openapi'],
})

/** Sends a page that loads a script and a style of each name. */
function sendApp(
  reply: FastifyReply,
  title: string,
  names: readonly string[],
  body: Html,
  styles = "'self'",
): FastifyReply {
  const head = html`<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${names.map((name) => html`<link rel="stylesheet" href="${name}.css">\n`)}
${names.map((name) => html`<script type="module" src="${name}.js"></script>\n`)}`
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${styles}; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'cache-control': 'no-cache',
    })
    .send(htmlDocument(title, head, body))
}

/** RapiDoc below the dashboard's bar. Its links are relative, so that they work below any prefix. */
function docsPage(token: string): Html {
  return html`<div id="bar"></div>
<noscript>This page needs JavaScript; the <a href="openapi.json">OpenAPI document</a> does not.</noscript>
<rapi-doc data-token="${token}" ${RAPIDOC}></rapi-doc>`
}

/** https://rapidocweb.com/api.html */
const RAPIDOC = html`render-style="read" schema-style="table" fill-request-fields-with-example="true"
 show-header="false" allow-server-selection="false" allow-advanced-search="false" persist-auth="false"
 show-method-in-nav-bar="as-plain-text" response-area-height="auto" load-fonts="false"
 regular-font="system-ui, sans-serif" mono-font="ui-monospace, Menlo, Consolas, monospace"`
