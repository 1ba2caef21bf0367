import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { tooLarge } from './problems.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body, where it was received. */
    bytes: Buffer | null
  }
}

/** Methods whose bodies are not read. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Has every body received whole, within a limit of bytes, before it is parsed; what parses it gets a stream of it. */
export function receiveBodies(app: FastifyInstance, limit: number): void {
  app.decorateRequest('bytes', null)
  app.addHook('preParsing', (request, _, payload, done) => {
    const { raw, bytes } = request
    if (bytes !== null) return done(null, Readable.from(bytes))
    if (BODILESS.has(request.method) || !(announcesBody(raw) || 'content-type' in raw.headers))
      return done(null, payload)
    receiveBody(raw, limit).then((received) => {
      request.bytes = received
      done(null, Readable.from(received))
    }, done)
  })
}

/** A client that left, most of the time before its body was whole: nobody is there to be answered. */
export class ClientLeft extends Error {
  readonly statusCode = 400

  constructor(before = 'the body was whole') {
    super(`the connection ended before ${before}`)
  }
}

/**
 * Receives a request's body, to its end.
 * @throws {Problem} for a body over `limit` bytes, which is not kept, and for one that is not HTTP
 * @throws {ClientLeft} where the connection is gone
 */
export function receiveBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  if (Number(request.headers['content-length']) > limit) return Promise.reject(tooLarge(limit))
  return passBody(request, (piece) => {
    size += piece.byteLength
    if (size > limit) throw tooLarge(limit)
    pieces.push(piece)
  }).then(() => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)))
}

/**
 * Hands a request's body on, piece by piece, to its end; `take` may pause the request, and throw to end the reading.
 * @throws {ClientLeft} where the connection is gone
 */
export function passBody(request: IncomingMessage, take: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        fail(error as Error)
      }
    }
    const onEnd = () => {
      stop()
      resolve()
    }
    const onClose = () => fail(new ClientLeft())
    const stop = () => request.off('data', onData).off('end', onEnd).off('close', onClose)
    const fail = (why: Error) => {
      // A body that is left half-read blocks its connection.
      stop().resume()
      reject(why)
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

/** Whether a request says that it has a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}
