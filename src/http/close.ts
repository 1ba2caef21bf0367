import type { FastifyInstance } from 'fastify'

/** Milliseconds that requests under way have to end. */
const GRACE = 300
const LOOK_EVERY = 25

/** Lets the server close within a second, whatever requests hang and connections are kept alive. */
export function closePromptly(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY)
    const end = setTimeout(() => app.server.closeAllConnections(), GRACE)
    app.server.once('close', () => {
      clearInterval(idle)
      clearTimeout(end)
    })
    done()
  })
}
