import type { FastifyInstance, FastifyReply } from 'fastify'

const connections = new WeakMap<object, number>()

/** Counts the connections of a server, for `batch`. */
export function countConnections({ server }: FastifyInstance): void {
  connections.set(server, 0)
  const count = (change: number) => connections.set(server, (connections.get(server) ?? 0) + change)
  server.on('connection', (socket) => {
    count(1)
    socket.once('close', () => count(-1))
  })
}

/**
 * Sends an answer. Where several clients are connected, answers that are ready in one turn of the event loop leave
 * together at its end: a client that sleeps is woken once, and not by each answer while the next is still being made.
 */
export function batch(reply: FastifyReply, send: () => void): void {
  if ((connections.get(reply.server.server) ?? 0) > 1) setImmediate(sendOrEnd, reply, send)
  else sendOrEnd(reply, send)
}

/** What Node refuses to send ends its connection, and no other. */
function sendOrEnd(reply: FastifyReply, send: () => void): void {
  try {
    send()
  } catch (error) {
    reply.log.error(error)
    reply.raw.destroy()
  }
}
