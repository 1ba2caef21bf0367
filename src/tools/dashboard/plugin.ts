import type { FastifyReply } from 'fastify'
import type { Resource } from '../../mock/http/admin/resource.js'
import { htmlDocument } from '../../mock/http/page-layout.js'
import { pathOf } from '../../mock/http/sandbox-of.js'
import { type Html, html } from '../../mock/text/html.js'
import { asset } from '../../package-root.js'

const NO_SCRIPT = html`<noscript>The dashboard needs JavaScript; the admin API does not.</noscript>`

export const dashboard: Resource = (routes) => {
  routes.get('/', { config: { access: 'page' } }, (request, reply) => {
    // The page's links are relative to the address with the slash.
    if (!pathOf(request.url).endsWith('/')) return reply.redirect('__admin/')
    return sendApp(reply, 'countersign', ['dashboard'], NO_SCRIPT)
  })
  for (const name of ['dashboard.js', 'dashboard.css', 'docs.js', 'docs.css']) {
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
}

/** Sends a page that loads a script and a style of each name. */
export function sendApp(
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
