import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { tooLarge } from './problems.js'

/**
 * Receives the body of a request.
 * @throws {Problem} for a body over the limit, once all of it has come
 */
export async function receiveBytes({ raw, routeOptions }: FastifyRequest): Promise<Buffer> {
  const { bodyLimit: limit } = routeOptions
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    size += piece.byteLength
    if (size <= limit) pieces.push(piece)
  }
  if (size > limit) throw tooLarge(limit)
  return Buffer.concat(pieces)
}

/** Reads on to the end of a body, so that the client, and what follows on its connection, sees the answer. */
export async function drain(raw: IncomingMessage): Promise<void> {
  raw.resume()
  if (!raw.readableEnded && !raw.destroyed) await Promise.race([once(raw, 'end'), once(raw, 'close')]).catch(() => {})
}
