import { IncomingMessage } from 'node:http'
import type { MessagePort } from 'node:worker_threads'

/** Bytes of the bodies that are taken: smaller ones arrive in one piece, or are joined for little. */
const SMALLEST = 64 * 1024
const LARGEST = 2 * 1024 * 1024
/** Bytes that are kept for the next ones. */
const MOST_KEPT = 32 * 1024 * 1024

/** Buffers by their size, which is a power of two. */
const kept = new Map<number, Buffer[]>()
let bytesKept = 0
const lent = new WeakSet<ArrayBufferLike>()

/**
 * Memory for a body of so many bytes, of one that is over where there is one; undefined for a body that is better joined
 * of its pieces. Buffers are not part of the heap, but their number is what the collector runs for, over all of it.
 */
export function borrow(bytes: number): Buffer | undefined {
  if (!(bytes >= SMALLEST && bytes <= LARGEST)) return undefined
  const size = 2 ** Math.ceil(Math.log2(bytes))
  let whole = kept.get(size)?.pop()
  if (whole === undefined) whole = Buffer.allocUnsafeSlow(size)
  else bytesKept -= size
  lent.add(whole.buffer)
  return whole.subarray(0, bytes)
}

/** Takes memory back that nobody looks at any more; what was not borrowed is the collector's. */
export function giveBack({ buffer }: Buffer): void {
  const size = buffer.byteLength
  if (!lent.delete(buffer) || bytesKept + size > MOST_KEPT) return
  const others = kept.get(size)
  if (others === undefined) kept.set(size, [Buffer.from(buffer)])
  else others.push(Buffer.from(buffer))
  bytesKept += size
}

/** Lets go of a piece of a body at once: what Node's parser gave is nobody else's. */
export function letGo(piece: Buffer, request: IncomingMessage): void {
  const { buffer } = piece
  if (request instanceof IncomingMessage && buffer.byteLength === piece.byteLength) free(buffer as ArrayBuffer)
}

type Transferable = ArrayBuffer & { transfer(bytes: number): ArrayBuffer }

/** Node 20 cannot but give it away: whatever is sent to nobody is gone. */
const free =
  'transfer' in ArrayBuffer.prototype
    ? (buffer: ArrayBuffer) => void (buffer as Transferable).transfer(0)
    : (buffer: ArrayBuffer) => nobody().postMessage(null, [buffer])

let port: MessagePort | undefined

function nobody(): MessagePort {
  if (port === undefined) {
    const { port1, port2 } = new MessageChannel()
    port2.close()
    port = port1
  }
  return port
}
