import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../html.js'
import { isLoopback, isLoopbackOrigin, isSameHost, proxiedHostOf } from './loopback.js'
import { sendPage } from './page-layout.js'
import { pathParam } from './path-param.js'
import { Problem } from './problems.js'
import { chooseSandboxOfPage, sandboxInUrl, withoutQuery } from './sandbox-of.js'

export async function pages(scope: FastifyInstance): Promise<void> {
  const { api, sandboxes } = scope
  scope.route({ method: ['GET', 'HEAD'], url: '/favicon.ico', handler: (_, reply) => reply.code(204).send() })
  // Relative, for proxies with a prefix.
  scope.get('/', (request, reply) => {
    const beside = withoutQuery(request.originalUrl).endsWith('/')
      ? ''
      : `${sandboxInUrl(request, sandboxes).prefix.slice(1)}/`
    return reply.redirect(`${beside}__admin/`)
  })
  for (const { path, title, subject, actions, show, act } of api.pages) {
    scope.get(path, async (request, reply) => {
      const sandbox = chooseSandboxOfPage(request, sandboxes)
      // Buttons carry the sandbox in the URL: the browser may not send the header again.
      const linkPrefix =
        sandbox === sandboxInUrl(request, sandboxes) ? '' : `..${sandbox.prefix}${path.replace(':id', '')}`
      api.prepare?.(sandbox)
      const shown = await sandbox.state.readAndSave(() => show(sandbox, pathParam(request, 'id'), linkPrefix))
      if (shown !== undefined) return sendPage(reply, 200, title, shown)
      return sendPage(reply, 404, `No such ${subject}`, html`<h1>No such ${subject}</h1>\n${UNKNOWN}`)
    })
    for (const action of actions) {
      scope.post(`${path}/${action}`, async (request, reply) => {
        blockForeign(request, sandboxes.data.settings.host)
        const sandbox = chooseSandboxOfPage(request, sandboxes)
        const id = pathParam(request, 'id')
        act(sandbox, id, action)
        await sandbox.state.save()
        return reply.redirect(`../${encodeURIComponent(id)}`, 303)
      })
      // Otherwise, the API's CORS would let any page press the button.
      scope.options(`${path}/${action}`, (_, reply) => reply.code(204).header('allow', 'POST').send())
    }
  }
}

const UNKNOWN = html`<p>It may have been created in another sandbox, or before the last reset. Ask for a new one.</p>`

/** Own pages, also behind a proxy, and loopback pages. A matching Host on loopback proves nothing (DNS rebinding). */
function blockForeign({ headers }: FastifyRequest, address: string): void {
  const { origin, host } = headers
  if (origin === undefined || isLoopbackOrigin(origin) || isSameHost(origin, proxiedHostOf(headers))) return
  if (!isLoopback(address) && isSameHost(origin, host)) return
  throw new Problem(
    'forbidden',
    `This form was submitted from '${origin}'. Open the page itself, at http://127.0.0.1 or http://localhost.`,
  )
}
