import type { IncomingHttpHeaders } from 'node:http'
import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { sha256 } from '../../text/digest.js'
import { serverUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import { askForToken, DESTINATIONS } from './refusal-page.js'
import type { Resource } from './resource.js'

const Given = Type.Object(
  { token: Type.String(), to: Type.Optional(oneOf(DESTINATIONS)) },
  { additionalProperties: false },
)

/** Exchanges the admin token for a cookie, for the dashboard off loopback. */
export const session: Resource = (routes) => {
  routes.post('/session', { config: { access: 'login' }, schema: { body: Given } }, async (request, reply) => {
    const { token, to = './' } = request.body
    const { world } = request
    const { adminToken } = world.settings
    if (adminToken === undefined)
      throw new Problem('conflict', 'The server was started without --admin-token, so it needs no token.')
    if (token !== adminToken) {
      askForToken(reply, to, 'This is not the right token.')
      return reply
    }
    const secure = serverUrlOf(request, world).startsWith('https:') ? '; Secure' : ''
    const cookie = `${cookieOf(adminToken)}; Path=/; HttpOnly; SameSite=Strict${secure}`
    return reply.header('set-cookie', cookie).redirect(to, 303)
  })
}

export function showsToken({ authorization = '', cookie = '' }: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^bearer +(.+)$/i.exec(authorization)?.[1]
  return bearer === undefined ? cookie.split(/; */).includes(cookieOf(token)) : bearer === token
}

/** A digest: the cookie does not reveal the token. Servers at other ports get it as well, so the name depends on it, too. */
function cookieOf(token: string): string {
  return `countersign-${sha256(`name ${token}`).slice(0, 8)}=${sha256(`value ${token}`)}`
}
