import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.js'

export interface GuardOptions {
  /** The address that the server listens on. */
  readonly host: string
  readonly adminToken: string | undefined
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/**
 * Lets in who may drive the mock: on loopback, calls by a loopback name and from no foreign web page; elsewhere, or
 * where an admin token is set, whoever has it.
 */
export function guard({ host, adminToken }: GuardOptions) {
  const open = LOOPBACK.test(host)
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { origin } = request.headers
    const authorized = adminToken !== undefined && holds(request.headers.authorization, adminToken)
    if (origin !== undefined && (authorized || isLoopbackOrigin(origin) || request.method === 'OPTIONS'))
      allowOrigin(reply, origin)
    if (request.method === 'OPTIONS')
      return done(
        origin === undefined || isLoopbackOrigin(origin) || adminToken !== undefined ? undefined : foreign(origin),
      )
    if (authorized) return done()
    if (!open && adminToken === undefined)
      return done(
        new Problem(
          'forbidden',
          `Admin is closed: the server listens on ${host}, and was started without --admin-token. Start it with one, or listen on 127.0.0.1.`,
        ),
      )
    if (adminToken !== undefined)
      return done(
        new Problem(
          'unauthorized',
          "Send the header 'Authorization: Bearer <ADMIN_TOKEN>' with the token that --admin-token gives.",
          {},
          { 'www-authenticate': 'Bearer' },
        ),
      )
    const name = hostName(request.headers.host)
    if (name !== undefined && !LOOPBACK.test(name) && name !== host)
      return done(
        new Problem(
          'forbidden',
          `Admin answers to loopback names only, not to '${name}': call it as http://127.0.0.1 or http://localhost.`,
        ),
      )
    if (origin !== undefined && !isLoopbackOrigin(origin)) return done(foreign(origin))
    done()
  }
}

function foreign(origin: string): Problem {
  return new Problem(
    'forbidden',
    `Admin takes no calls from the web page '${origin}': pages of loopback hosts may call it.`,
  )
}

function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, PUT, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-expose-headers': 'x-mock-error',
    vary: 'Origin',
  })
}

function isLoopbackOrigin(origin: string): boolean {
  try {
    return LOOPBACK.test(new URL(origin).hostname)
  } catch {
    return false
  }
}

function hostName(host: string | undefined): string | undefined {
  return host?.replace(/:\d+$/, '')
}

/** Compared by digest, in constant time. */
function holds(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
