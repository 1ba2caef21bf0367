import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** How much is read of what a client goes on sending after its answer. */
export interface DrainBounds {
  readonly bytes: number
  readonly milliseconds: number
}

/**
 * Some clients read nothing until all is sent. An upload that is five times over the default limit still gets its
 * answer, on a line of 100 Mbit/s as well; whoever sends more, or nothing more, is cut off.
 */
const BOUNDS: DrainBounds = { bytes: 256 * 1024 * 1024, milliseconds: 30_000 }
const LOOK_EVERY = 50

/** Cuts a connection that sends more than the bounds allow, until the function that it returns is called. */
export function drain(socket: Socket, { bytes, milliseconds } = BOUNDS): () => void {
  const most = socket.bytesRead + bytes
  const end = performance.now() + milliseconds
  const timer = setInterval(() => {
    if (socket.bytesRead > most || performance.now() > end) socket.destroy()
  }, LOOK_EVERY)
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  socket.on('close', stop)
  return stop
}

/** Drains a request that was answered before all of its body came. */
export function drainBody(request: IncomingMessage, bounds?: DrainBounds): void {
  const { socket } = request
  if (request.complete || socket.readableEnded) return
  const stop = drain(socket, bounds)
  // Where the answer is the connection's last, Node is about to destroy it: only our side ends now (RFC 9112, 9.6).
  socket.destroySoon = () => void socket.end()
  request.once('close', () => {
    stop()
    delete (socket as Partial<Socket>).destroySoon
    if (socket.writableEnded) socket.destroySoon()
  })
}
