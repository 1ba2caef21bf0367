import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { AdminRoutes } from '../../api.js'
import { closedObject, oneOf } from '../../contract/fields.js'
import { html } from '../../html.js'
import { serverUrlOf } from '../base-url.js'
import { sendPage } from '../page-layout.js'
import { Problem } from '../problems.js'

const DESTINATIONS = ['./', 'docs'] as const

const Given = closedObject({ token: Type.String(), to: Type.Optional(oneOf(DESTINATIONS)) })

export const session: AdminRoutes = (routes, { sandboxOf }) => {
  routes.post('/session', { config: { access: 'login' }, schema: { body: Given } }, async (request, reply) => {
    const { token, to = './' } = request.body
    const sandbox = sandboxOf(request)
    const { adminToken } = sandbox.settings
    if (adminToken === undefined)
      throw new Problem('conflict', 'The server was started without --admin-token, so it needs no token.')
    // Pasted tokens bring blanks.
    if (!isEqual(token.trim(), adminToken.trim())) return askForToken(reply, to, 'This is not the right token.')
    const secure = serverUrlOf(request, sandbox).startsWith('https:') ? '; Secure' : ''
    const cookie = `${cookieOf(adminToken)}; Path=/; HttpOnly; SameSite=Strict${secure}`
    return reply.header('set-cookie', cookie).redirect(to, 303)
  })
}

export function askForToken(reply: FastifyReply, to: (typeof DESTINATIONS)[number], mistake?: string): FastifyReply {
  const body = html`<h1>Admin token</h1>
<p>This server was started with <code>--admin-token</code>. Enter that token once; this browser then remembers it in a cookie.</p>
<form method="post" action="session" class="token">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${mistake === undefined ? '' : html` aria-describedby="mistake" aria-invalid="true"`}>
<input type="hidden" name="to" value="${to}">
${mistake === undefined ? '' : html`<p class="over" id="mistake" role="alert">${mistake}</p>`}
<div class="actions"><button class="go">Open</button></div>
</form>`
  return sendPage(reply, 401, 'Admin token', body)
}

export function showsToken({ authorization = '', cookie = '' }: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^bearer +(.+)$/i.exec(authorization)?.[1]
  return bearer === undefined
    ? cookie.split(/; */).some((one) => isEqual(one, cookieOf(token)))
    : isEqual(bearer, token)
}

/** In constant time. */
export function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => hash('sha256', text, 'buffer')) as [Buffer, Buffer]
  return timingSafeEqual(left, right)
}

export const ADMIN_COOKIE = /^countersign-[\da-f]{8}=/

/** A digest hides the token. Cookies are shared by ports, so the name depends on it, too. */
function cookieOf(token: string): string {
  return `countersign-${hash('sha256', `name ${token}`).slice(0, 8)}=${hash('sha256', `value ${token}`)}`
}
