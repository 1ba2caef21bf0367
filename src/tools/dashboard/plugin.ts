import type { FastifyReply } from 'fastify'
import type { AdminRoutes } from '../../engine/api.js'
import { type Html, html } from '../../engine/html.js'
import { htmlDocument } from '../../engine/http/page-layout.js'
import { withoutQuery } from '../../engine/http/sandbox-of.js'
import type { Tool } from '../../engine/tool.js'
import { asset } from '../../package-root.js'
import { type ApiFacts, readApiFacts } from './api-facts.js'

const NO_SCRIPT = html`<noscript>The dashboard needs JavaScript; the admin API does not.</noscript>`

const dashboardRoutes: AdminRoutes = (routes, { sandboxOf }) => {
  let apiFacts: Promise<ApiFacts> | undefined
  /** Each script has a stylesheet of the same name. */
  const sendApp = async (reply: FastifyReply, title: string, scripts: readonly string[], body: Html) => {
    apiFacts ??= readApiFacts(routes.api, sandboxOf(reply.request).settings.journalSize)
    const head = html`<meta name="color-scheme" content="light dark">
<meta name="countersign" content="${JSON.stringify(await apiFacts)}">
<link rel="icon" href="data:,">
${scripts.map((name) => html`<link rel="stylesheet" href="${name}.css">\n`)}
${scripts.map((name) => html`<script type="module" src="${name}.js"></script>\n`)}`
    // RapiDoc needs inline styles.
    const styles = scripts.includes('docs') ? "'self' 'unsafe-inline'" : "'self'"
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src ${styles}; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
        'cache-control': 'no-cache',
      })
      .send(htmlDocument(title, head, body))
  }
  routes.get('/', { config: { access: 'page' } }, (request, reply) => {
    // Relative links need the slash.
    if (!withoutQuery(request.url).endsWith('/')) return reply.redirect('__admin/')
    return sendApp(reply, 'countersign', ['dashboard'], NO_SCRIPT)
  })
  for (const name of ['dashboard.js', 'dashboard.css', 'docs.js', 'docs.css', 'editor.js']) {
    const headers = {
      'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    }
    routes.get(`/${name}`, (_, reply) => reply.headers(headers).send(asset(name)))
  }
  routes.get('/docs/', (_, reply) => reply.redirect('../docs'))
  routes.get('/docs', { config: { access: 'page' } }, (request, reply) => {
    const { name, firstToken = '' } = sandboxOf(request)
    const title = ['Docs', ...(name === null ? [] : [`~${name}`]), 'countersign'].join(' · ')
    // Links are relative, for proxies with a prefix.
    const page = html`<div id="bar"></div>
<noscript>This page needs JavaScript; the <a href="openapi.json">OpenAPI document</a> does not.</noscript>
<rapi-doc data-token="${firstToken}" ${RAPIDOC}></rapi-doc>`
    return sendApp(reply, title, ['dashboard', 'docs'], page)
  })
}

export const dashboardTool: Tool = {
  register(app) {
    app.admin(dashboardRoutes)
  },
}

/** https://rapidocweb.com/api.html */
const RAPIDOC = html`render-style="read" schema-style="table" fill-request-fields-with-example="true"
 show-header="false" allow-server-selection="false" allow-advanced-search="false" persist-auth="false"
 show-method-in-nav-bar="as-plain-text" response-area-height="auto" load-fonts="false"
 regular-font="system-ui, sans-serif" mono-font="ui-monospace, Menlo, Consolas, monospace"`
