import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { serverUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import { cookieOf, noCookie } from './admin-token.js'
import { askForToken, DESTINATIONS } from './refusal-page.js'
import type { Resource } from './resource.js'

const Given = Type.Object(
  { token: Type.String(), to: Type.Optional(oneOf(DESTINATIONS)) },
  { additionalProperties: false },
)

/** Remembers in a browser that it has shown the admin token. */
export const session: Resource = (routes, { worldOf }) => {
  routes.post('/session', { config: { takesForm: true }, schema: { body: Given } }, async (request, reply) => {
    const { token, to = './' } = request.body
    const world = worldOf(request)
    const { adminToken } = world.settings
    if (adminToken === undefined)
      throw new Problem('conflict', 'The server was started without --admin-token, so it needs no token.')
    if (token !== adminToken) {
      askForToken(reply, 401, to, 'This is not the right token.')
      return reply
    }
    const isSecure = serverUrlOf(request, world).startsWith('https:')
    return reply.header('set-cookie', cookieOf(adminToken, isSecure)).redirect(to, 303)
  })
  routes.delete('/session', (request, reply) => {
    const { adminToken = '' } = worldOf(request).settings
    return reply.header('set-cookie', noCookie(adminToken)).send({ status: 'ok' })
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an HTML form may be sent there. */
    takesForm?: boolean
  }
}
