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
  routes.post('/session', { config: { takesForm: true }, schema: { body: Given } }, async (request, reply) => {
    const { token, to = './' } = request.body
    const { world } = request
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
    const { adminToken = '' } = request.world.settings
    return reply.header('set-cookie', noCookie(adminToken)).send({ status: 'ok' })
  })
}

export function showsToken(headers: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer === token
  return cookiesIn(headers).some(([name, value]) => name === cookieName(token) && value === cookieValue(token))
}

/** A digest of the token: the cookie does not reveal it. */
function cookieOf(token: string, isSecure: boolean): string {
  return `${cookieName(token)}=${cookieValue(token)}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`
}

function noCookie(token: string): string {
  return `${cookieName(token)}=; ${ATTRIBUTES}; Max-Age=0`
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'

/** Cookies are shared between ports: servers with other tokens need other names. */
function cookieName(token: string): string {
  return `countersign-${sha256(`name ${token}`).slice(0, 8)}`
}

function cookieValue(token: string): string {
  return sha256(`value ${token}`)
}

function cookiesIn({ cookie = '' }: IncomingHttpHeaders): [name: string, value: string][] {
  return cookie.split(';').map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=')
    return [name, value]
  })
}
