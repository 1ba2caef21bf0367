import type { IncomingMessage } from 'node:http'
import { tooLarge } from './problems.js'

/** A body that ends before it is whole, of a client that still reads. */
export class CutOffBody extends Error {
  readonly statusCode = 400

  /** `arrived`: bytes. */
  constructor({ headers }: IncomingMessage, arrived: number) {
    const length = headers['content-length']
    const where = length === undefined ? ' before its last chunk' : `: ${arrived} of its ${length} bytes arrived`
    super(`The body was cut off${where}.`)
  }
}

/** A client that left before its body was whole: nobody is there to be answered. */
export class ClientLeft extends Error {
  readonly statusCode = 400

  constructor() {
    super('the connection ended before the body was whole')
  }
}

/** What ends the reading of a body, by its request. */
const readers = new WeakMap<IncomingMessage, (why?: Error) => void>()

/**
 * Reads a request's body to its end.
 * @throws {Problem} for a body over `limit` bytes, which is not read on, and for one that is not HTTP
 * @throws {CutOffBody} where the client sent no more, but reads
 * @throws {ClientLeft} where the connection is gone
 */
export function receiveBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) return reject(tooLarge(limit))
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > limit) fail(tooLarge(limit))
      else chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))
    }
    const onClose = () => fail(new ClientLeft())
    const stop = () => {
      readers.delete(request)
      return request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const fail = (why: Error) => {
      // A body that is left half-read blocks its connection.
      stop().resume()
      reject(why)
    }
    readers.set(request, (why = new CutOffBody(request, size)) => fail(why))
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

/** Whether a body is being read. */
export function isRead(request: IncomingMessage): boolean {
  return readers.has(request)
}

/** Ends the reading of a body, by default as one that was cut off. */
export function breakBody(request: IncomingMessage, why?: Error): void {
  readers.get(request)?.(why)
}
