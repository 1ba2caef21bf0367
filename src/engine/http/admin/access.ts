import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdminRoutes } from '../../api.js'
import { closedObject } from '../../contract/fields.js'
import { html } from '../../html.js'
import type { Sandboxes } from '../../sandbox/sandboxes.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import { serverUrlOf } from '../base-url.js'
import { findHostProblem, hostNameOf, isLoopback, isLoopbackOrigin, isSameHost, proxiedHostOf } from '../loopback.js'
import { lastResponseBySocket } from '../operations/pending-exchange.js'
import { sendPage } from '../page-layout.js'
import { Problem } from '../problems.js'
import { withoutQuery } from '../sandbox-of.js'
import { SERVER_HEADER } from './health.js'

/** The header by which a client in the server's own process authenticates itself. */
export const PROCESS_SECRET_HEADER = 'x-mock-process'

/** Allows calls with the secret or the admin token, and without --admin-token calls to loopback hosts. */
export function guard(sandboxes: Sandboxes, secret: string | undefined) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    lastResponseBySocket.set(request.raw.socket, reply.raw)
    if (secret !== undefined && isEqualInConstantTime(String(request.headers[PROCESS_SECRET_HEADER]), secret))
      return done()
    const { settings } = sandboxes.data
    const { access } = request.routeOptions.config
    const needsNoToken = request.method === 'OPTIONS' || access === 'login'
    const blocked =
      findHostProblem(request.raw) ?? (needsNoToken ? checkOrigin(request, settings) : checkAccess(request, settings))
    // Without access, GET /health has only `status`.
    if (blocked !== undefined && access === 'health') reply.headers(SERVER_HEADER).send({ status: 'ok' })
    else if (blocked !== undefined && access === 'page') sendBlockedPage(reply, blocked)
    else done(blocked)
  }
}

function checkAccess(request: FastifyRequest, settings: EngineSettings): Problem | undefined {
  const { headers } = request
  const { host, adminToken } = settings
  if (adminToken !== undefined) {
    const blocked = checkOrigin(request, settings)
    if (blocked !== undefined || hasAdminToken(headers, adminToken)) return blocked
    const detail = "Send the header 'Authorization: Bearer <ADMIN_TOKEN>' with the token set by --admin-token."
    return new Problem('unauthorized', detail, {}, { 'www-authenticate': 'Bearer' })
  }
  const closed = `The admin API is closed: the server listens on ${host} but was started without --admin-token. Restart it with --admin-token, or listen on 127.0.0.1.`
  if (!isLoopback(host)) return new Problem('forbidden', closed)
  const name = hostNameOf(headers.host ?? host)
  const otherHost = `The admin API answers only to loopback host names, not to '${name}'. Call it at http://127.0.0.1 or http://localhost, or start the server with --admin-token, and --public-url for links.`
  return isLoopback(name) ? checkOrigin(request, settings) : new Problem('forbidden', otherHost)
}

/** With --admin-token, pages of this server may call the admin API from any machine. */
function checkOrigin({ method, headers }: FastifyRequest, settings: EngineSettings): Problem | undefined {
  const { adminToken, publicUrl } = settings
  const { origin, host } = headers
  const isLink = method === 'GET' && headers['sec-fetch-dest'] === 'document'
  // Browsers send no Origin for images, scripts and frames.
  const isCrossSite = headers['sec-fetch-site'] === 'cross-site' && !isLink
  if (origin === undefined)
    return isCrossSite ? new Problem('forbidden', 'The admin API blocks calls from pages of other sites.') : undefined
  if (isLoopbackOrigin(origin)) return undefined
  const hosts = [host, proxiedHostOf(headers), publicUrl && new URL(publicUrl).host]
  if (adminToken !== undefined && hosts.some((allowed) => isSameHost(origin, allowed))) return undefined
  const otherPage = `The admin API blocks calls from the page '${origin}'. Only its own pages and pages on loopback hosts may call it.`
  return new Problem('forbidden', otherPage)
}

function sendBlockedPage(reply: FastifyReply, blocked: Problem) {
  if (blocked.code === 'unauthorized') return sendLoginPage(reply)
  const title = 'Not allowed from here'
  return sendPage(reply, blocked.status, title, html`<h1>${title}</h1>\n<p>${blocked.message}</p>`)
}

const SignInBody = closedObject({ token: Type.String() })

/** Without access, a page shows a form that posts to the page itself, so that the browser keeps the part after `#`. */
export const signIn: AdminRoutes = (routes, { sandboxOf }) => {
  for (const page of ['/', '/docs'])
    routes.post(page, { config: { access: 'login' }, schema: { body: SignInBody } }, async (request, reply) => {
      const sandbox = sandboxOf(request)
      const { adminToken } = sandbox.settings
      if (adminToken === undefined)
        throw new Problem('conflict', 'The server was started without --admin-token, so it needs no token.')
      if (!isEqualInConstantTime(request.body.token.trim(), adminToken))
        return sendLoginPage(reply, 'This is not the right token.')
      const secure = serverUrlOf(request, sandbox).startsWith('https:') ? '; Secure' : ''
      const cookie = `${cookieOf(adminToken)}; Path=/; HttpOnly; SameSite=Strict${secure}`
      return reply.header('set-cookie', cookie).redirect(withoutQuery(request.url).split('/').at(-1) || './', 303)
    })
}

function sendLoginPage(reply: FastifyReply, mistake?: string): FastifyReply {
  const body = html`<h1>Admin token</h1>
<p>This server was started with <code>--admin-token</code>. Enter that token once; this browser then remembers it in a cookie.</p>
<form method="post" class="token">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${mistake === undefined ? '' : html` aria-describedby="mistake" aria-invalid="true"`}>
${mistake === undefined ? '' : html`<p class="over" id="mistake" role="alert">${mistake}</p>`}
<div class="actions"><button class="go">Open</button></div>
</form>`
  return sendPage(reply, 401, 'Admin token', body)
}

function hasAdminToken({ authorization = '', cookie = '' }: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^bearer +(.+)$/i.exec(authorization)?.[1]
  return bearer === undefined
    ? cookie.split(/; */).some((pair) => isEqualInConstantTime(pair, cookieOf(token)))
    : isEqualInConstantTime(bearer, token)
}

function isEqualInConstantTime(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => hash('sha256', text, 'buffer')) as [Buffer, Buffer]
  return timingSafeEqual(left, right)
}

export const ADMIN_COOKIE = /^countersign-[\da-f]{8}=/

/** A digest hides the token. All ports of a host share cookies, so the name also contains a digest. */
function cookieOf(token: string): string {
  return `countersign-${hash('sha256', `name ${token}`).slice(0, 8)}=${hash('sha256', `value ${token}`)}`
}
