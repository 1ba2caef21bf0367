import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests under way have to end. */
const GRACE = 300
const LOOK_EVERY = 25

/** Lets the server close within a second, whatever requests hang and connections are kept alive. */
export function closePromptly(app: FastifyInstance): void {
  // Node's closeAllConnections leaves those open that have not finished the TLS handshake.
  const connections = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', (done) => {
    const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY)
    const end = setTimeout(() => {
      for (const socket of connections) socket.destroy()
    }, GRACE)
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(end)
    })
    done()
  })
}
