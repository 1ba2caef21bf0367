import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Worlds } from '../../world/worlds.js'
import { forwardedBy } from '../base-url.js'
import { isLoopback, isLoopbackOrigin, isSameHost } from '../loopback.js'
import { Problem } from '../problems.js'
import { chooseSandboxOfPage, pathOf, worldOf } from '../sandbox-of.js'
import { invitationPage } from './invitation.js'
import type { Page } from './page.js'
import { signingPage } from './signing.js'

const everyPage: readonly Page[] = [invitationPage, signingPage]

/** The pages for people: what mails and signing links lead to. */
export async function pages(scope: FastifyInstance, { worlds }: { worlds: Worlds }): Promise<void> {
  scope.route({ method: ['GET', 'HEAD'], url: '/favicon.ico', handler: (_, reply) => reply.code(204).send() })
  // Relative, as all that pages lead to: a proxy may have them below a prefix of its own.
  scope.get('/', (request, reply) => {
    const beside = pathOf(request.originalUrl).endsWith('/') ? '' : `${worldOf(request, worlds).prefix.slice(1)}/`
    return reply.redirect(`${beside}__admin/`)
  })
  for (const { path, actions, show, act } of everyPage) {
    scope.get(path, (request, reply) => {
      const world = chooseSandboxOfPage(request, worlds)
      // A sandbox that a header names, the buttons name in their URL: the browser may not send the header again.
      const here = world === worldOf(request, worlds) ? '' : `..${world.prefix}${path.replace(':id', '')}`
      return show(world, idOf(request), here, reply)
    })
    for (const action of actions) {
      scope.post(`${path}/${action}`, async (request, reply) => {
        refuseForeign(request, worlds.shared.settings.host)
        const world = chooseSandboxOfPage(request, worlds)
        const id = idOf(request)
        await act(world, id, action)
        return reply.redirect(`../${encodeURIComponent(id)}`, 303)
      })
      // Else the API's preflights would let any page press the button.
      scope.options(`${path}/${action}`, (_, reply) => reply.code(204).header('allow', 'POST').send())
    }
  }
}

function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id
}

/**
 * A button counts on our own page only, on the one that a proxy shows as its own, and on pages of this machine. A Host
 * header proves nothing on loopback: any name can be made to lead here (DNS rebinding).
 */
function refuseForeign({ headers }: FastifyRequest, address: string): void {
  const { origin, host } = headers
  if (origin === undefined || isLoopbackOrigin(origin) || isSameHost(origin, forwardedBy(headers).host)) return
  if (!isLoopback(address) && isSameHost(origin, host)) return
  throw new Problem(
    'forbidden',
    `This form was submitted from '${origin}'. Open the page itself, at http://127.0.0.1 or http://localhost.`,
  )
}
