import type { FastifyRequest } from 'fastify'

/** Forms as received: the engine keeps only fields. */
export class FormBytes {
  readonly #pieces = new WeakMap<FastifyRequest, Buffer[]>()

  /** Listening starts the flow: the reader must start in the same tick. */
  collect(request: FastifyRequest): void {
    const { bodyLimit } = request.routeOptions
    const pieces: Buffer[] = []
    let size = 0
    this.#pieces.set(request, pieces)
    request.raw.on('data', (piece: Buffer) => {
      size += piece.byteLength
      // The engine refuses it.
      if (size > bodyLimit) pieces.length = 0
      else pieces.push(piece)
    })
  }

  of(request: FastifyRequest): Buffer | null {
    const pieces = this.#pieces.get(request)
    return pieces === undefined ? null : Buffer.concat(pieces)
  }
}
