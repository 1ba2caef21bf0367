import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../html.js'
import { findHostProblem, isLoopback, isLoopbackOrigin, isSameHost, proxiedHostOf } from './loopback.js'
import { sendPage } from './page-layout.js'
import { pathParam } from './path-param.js'
import { Problem } from './problems.js'
import { chooseSandboxOfPage, sandboxInUrl, withoutQuery } from './sandbox-of.js'

export async function pages(scope: FastifyInstance): Promise<void> {
  const { api, sandboxes } = scope
  scope.addHook('onRequest', (request, _, done) => done(findHostProblem(request.raw)))
  scope.route({ method: ['GET', 'HEAD'], url: '/favicon.ico', handler: (_, reply) => reply.code(204).send() })
  scope.get('/', (request, reply) => {
    const hasSlash = withoutQuery(request.originalUrl).endsWith('/')
    // A relative URL also works behind a proxy with a prefix.
    return reply.redirect(`${hasSlash ? '' : `${sandboxInUrl(request, sandboxes).prefix.slice(1)}/`}__admin/`)
  })
  for (const { path, title, recordNoun, actions, show, act } of api.pages) {
    scope.get(path, async (request, reply) => {
      const sandbox = chooseSandboxOfPage(request, sandboxes)
      // Buttons carry the sandbox in their URL: a browser may not send the header X-Mock-Sandbox again.
      const linkPrefix =
        sandbox === sandboxInUrl(request, sandboxes) ? '' : `..${sandbox.prefix}${path.replace(':id', '')}`
      api.prepare?.(sandbox)
      const content = await sandbox.state.readAndSave(() => show(sandbox, pathParam(request, 'id'), linkPrefix))
      if (content !== undefined) return sendPage(reply, 200, title, content)
      return sendPage(reply, 404, `No such ${recordNoun}`, html`<h1>No such ${recordNoun}</h1>\n${NOT_FOUND_ADVICE}`)
    })
    for (const action of actions) {
      scope.post(`${path}/${action}`, async (request, reply) => {
        blockOtherSites(request, sandboxes.data.settings.host)
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

const NOT_FOUND_ADVICE = html`<p>Perhaps it was created in another sandbox, or before the last reset. Create a new one.</p>`

/** Allows pages of this server and of loopback hosts. On loopback, a matching Host proves nothing (DNS rebinding). */
function blockOtherSites({ headers }: FastifyRequest, address: string): void {
  const { origin, host } = headers
  if (origin === undefined || isLoopbackOrigin(origin) || isSameHost(origin, proxiedHostOf(headers))) return
  if (!isLoopback(address) && isSameHost(origin, host)) return
  const message = `A page of '${origin}' may not submit this form. Open the form on this server itself.`
  throw new Problem('forbidden', message)
}
