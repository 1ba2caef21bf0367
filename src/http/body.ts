import type { IncomingMessage } from 'node:http'
import { borrow, letGo } from './body-buffers.js'
import { invite } from './continue.js'
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

/** A client that left, most of the time before its body was whole: nobody is there to be answered. */
export class ClientLeft extends Error {
  readonly statusCode = 400

  constructor(before = 'the body was whole') {
    super(`the connection ended before ${before}`)
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
  const known = received.get(request)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit) return reject(tooLarge(limit))
    invite(request)
    const pieces = piecesOf(request)
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > limit) fail(tooLarge(limit))
      else pieces.add(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(pieces.joined())
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

/** The pieces of a body, which become one. */
interface Pieces {
  add(piece: Buffer): void
  joined(): Buffer
}

function piecesOf(request: IncomingMessage): Pieces {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const whole = coding === undefined ? borrow(Number(length)) : undefined
  if (whole === undefined) {
    const pieces: Buffer[] = []
    return {
      add: (piece) => void pieces.push(piece),
      joined: () => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)),
    }
  }
  let size = 0
  return {
    add: (piece) => {
      size += piece.copy(whole, size)
      letGo(piece, request)
    },
    joined: () => whole.subarray(0, size),
  }
}

/** Bodies that were read before their time, by their requests. */
const received = new WeakMap<IncomingMessage, Buffer>()

/** Has whoever reads a request's body get this one, which was read already. */
export function rememberBody(request: IncomingMessage, body: Buffer): void {
  received.set(request, body)
}

/**
 * Hands a request's body on, piece by piece, to its end; the caller may pause the request.
 * @throws {CutOffBody} where the client sent no more, but reads
 * @throws {Problem} for one that is not HTTP
 * @throws {ClientLeft} where the connection is gone
 */
export function passBody(
  request: IncomingMessage,
  take: (chunk: Buffer) => void,
): { readonly passed: Promise<void>; readonly stop: () => void } {
  let size = 0
  let stop = () => {}
  const passed = new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      take(chunk)
    }
    const onEnd = () => {
      release()
      resolve()
    }
    const onClose = () => fail(new ClientLeft())
    const release = () => {
      readers.delete(request)
      return request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const fail = (why: Error) => {
      // A body that is left half-read blocks its connection.
      release().resume()
      reject(why)
    }
    stop = () => {
      release().resume()
      resolve()
    }
    readers.set(request, (why = new CutOffBody(request, size)) => fail(why))
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  })
  return { passed, stop: () => stop() }
}

/** Looks after a body until somebody reads it. */
export interface BodyWatch {
  /** Leaves it to the reader. @throws what `passBody` would have thrown meanwhile */
  end(): void
}

/** Looks after a body that is about to be read, but not within this turn of the event loop. */
export function watchBody(request: IncomingMessage): BodyWatch {
  let broken: Error | undefined
  const onClose = () => {
    broken ??= new ClientLeft()
  }
  readers.set(request, (why = new CutOffBody(request, 0)) => {
    broken ??= why
  })
  request.on('close', onClose)
  return {
    end: () => {
      readers.delete(request)
      request.off('close', onClose)
      if (broken !== undefined) throw broken
    },
  }
}

/** Whether a request says that it has a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

/** Whether a body is being read. */
export function isRead(request: IncomingMessage): boolean {
  return readers.has(request)
}

/** Ends the reading of a body, by default as one that was cut off. */
export function breakBody(request: IncomingMessage, why?: Error): void {
  readers.get(request)?.(why)
}
