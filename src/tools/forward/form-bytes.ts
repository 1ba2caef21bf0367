import type { FastifyRequest } from 'fastify'

/** The bytes of forms as they were received: the engine keeps the fields that it has read from them. */
export class FormBytes {
  readonly #pieces = new WeakMap<FastifyRequest, Buffer[]>()

  /** Listens to a body before it is read. To listen sets it flowing: its reader must start before the next tick. */
  collect(request: FastifyRequest): void {
    const { bodyLimit } = request.routeOptions
    const pieces: Buffer[] = []
    let size = 0
    this.#pieces.set(request, pieces)
    request.raw.on('data', (piece: Buffer) => {
      size += piece.byteLength
      // The engine refuses a longer body.
      if (size > bodyLimit) pieces.length = 0
      else pieces.push(piece)
    })
  }

  /** Null for a request that was not collected. */
  of(request: FastifyRequest): Buffer | null {
    const pieces = this.#pieces.get(request)
    return pieces === undefined ? null : Buffer.concat(pieces)
  }
}
