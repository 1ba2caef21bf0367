import type { FastifyRequest } from 'fastify'
import { bodyTooLarge } from './problems.js'

/** @throws {Problem} for a body over the limit, after all of it has arrived */
export async function readRawBody({ raw, routeOptions, exchange, server }: FastifyRequest): Promise<Buffer> {
  const { bodyLimit: limit } = routeOptions
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    size += piece.byteLength
    // Calls of the admin API have no exchange.
    if (exchange !== null) exchange.received = size
    if (size <= limit) pieces.push(piece)
  }
  if (size > limit) throw bodyTooLarge(limit, server.api.conventions)
  return Buffer.concat(pieces)
}
