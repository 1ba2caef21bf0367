import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { announcesBody } from './body.js'

/** Milliseconds that a client may go on sending after its answer. */
const LONGEST = 30_000

/**
 * Reads on where an answer leaves before all of the request's body has come. To close the connection at once would reset
 * it, and a client that reads nothing until all is sent would not see its answer: see docs/decisions/010. `longest`:
 * milliseconds.
 */
export function readUnreadBodies(app: FastifyInstance, longest = LONGEST): void {
  app.addHook('onSend', ({ raw }, reply, _, done) => {
    // Requests of inject have no connection.
    if (!raw.complete && announcesBody(raw) && raw.socket instanceof Socket) {
      raw.once('close', readOn(raw.socket, longest)).resume()
      // Fastify has a connection closed whose body it does not read to the end.
      if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive) reply.removeHeader('connection')
    }
    done()
  })
}

/** Has a connection take what its client still sends, though not for ever; the returned function ends that. */
export function readOn(socket: Socket, longest = LONGEST): () => void {
  // Node destroys a connection after its last answer; one that it cannot destroy it ends (RFC 9112, section 9.6).
  Object.assign(socket, { destroySoon: undefined })
  const timer = setTimeout(() => socket.destroy(), longest).unref()
  const stop = () => clearTimeout(timer)
  socket.once('close', stop)
  return () => {
    stop()
    socket.off('close', stop)
    delete (socket as Partial<Socket>).destroySoon
    if (socket.writableEnded) socket.destroySoon()
  }
}
