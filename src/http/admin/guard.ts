import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowOrigin, answerPreflight, type CrossOrigin } from '../cors.js'
import { isLoopback, isLoopbackOrigin } from '../loopback.js'
import { Problem } from '../problems.js'

export interface GuardOptions {
  /** The address that the server listens on. */
  readonly host: string
  readonly adminToken: string | undefined
}

/**
 * Lets in who may drive the mock: on loopback, calls by a loopback name and from no foreign web page; elsewhere, or
 * where an admin token is set, whoever sends it.
 */
export function guard(options: GuardOptions) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { origin } = request.headers
    const preflight = request.method === 'OPTIONS'
    const refusal = preflight ? refusePage(origin, options) : refuse(request, options)
    if (refusal === undefined && origin !== undefined) allowOrigin(reply, origin, crossOrigin)
    if (preflight && refusal === undefined) answerPreflight(request, reply, crossOrigin)
    else done(refusal)
  }
}

function refuse({ headers }: FastifyRequest, options: GuardOptions): Problem | undefined {
  const { host, adminToken } = options
  if (adminToken !== undefined) return holds(headers.authorization, adminToken) ? undefined : unauthorized()
  if (!isLoopback(host)) return closed(host)
  const name = headers.host?.replace(/:\d+$/, '') ?? host
  return isLoopback(name) ? refusePage(headers.origin, options) : misnamed(name)
}

/** Without an admin token, only pages of this machine may call. */
function refusePage(origin: string | undefined, { adminToken }: GuardOptions): Problem | undefined {
  if (origin === undefined || adminToken !== undefined || isLoopbackOrigin(origin)) return undefined
  return new Problem(
    'forbidden',
    `Admin refuses calls from the page '${origin}'; only pages on loopback hosts may call it.`,
  )
}

function unauthorized(): Problem {
  const detail = "Send the header 'Authorization: Bearer <ADMIN_TOKEN>' with the token that --admin-token gives."
  return new Problem('unauthorized', detail, {}, { 'www-authenticate': 'Bearer' })
}

function closed(host: string): Problem {
  return new Problem(
    'forbidden',
    `Admin is closed: the server listens on ${host}, and was started without --admin-token. Start it with one, or listen on 127.0.0.1.`,
  )
}

function misnamed(name: string): Problem {
  return new Problem(
    'forbidden',
    `Admin answers to loopback names only, not to '${name}': call it as http://127.0.0.1 or http://localhost.`,
  )
}

const crossOrigin: CrossOrigin = { methods: 'GET, PUT, POST, PATCH, DELETE', exposed: 'X-Mock-Error' }

/** Compared by digest, in constant time. */
function holds(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
