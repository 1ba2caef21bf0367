import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { watchBody } from '../body.js'

interface DoorOptions {
  /** Makes the app of the admin API. */
  readonly open: () => Promise<FastifyInstance>
}

/** What is below it, and the page that it is itself. */
const places: Readonly<Record<string, HTTPMethods[]>> = {
  '/__admin': ['GET', 'HEAD'],
  '/__admin/*': ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
}

/** Where the admin API is. It is made when it is first called: a start does not wait for its routes. */
export async function adminDoor(scope: FastifyInstance, { open }: DoorOptions): Promise<void> {
  let opening: Promise<FastifyInstance> | undefined
  let app: FastifyInstance | undefined
  const opened = async () => {
    opening ??= open()
    try {
      app = await opening
      return app
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  // Before the body is read, which is the other app's to do.
  const enter = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    if (app !== undefined) pass(app, request, reply)
    else passLater(opened(), request, reply).catch(done)
  }
  for (const prefix of ['', '/~:sandbox']) {
    for (const [path, method] of Object.entries(places)) {
      scope.route({ method, url: prefix + path, onRequest: enter, handler: () => {} })
    }
  }
  scope.addHook('preClose', async () => {
    await (await opening)?.close()
  })
}

async function passLater(
  opened: Promise<FastifyInstance>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const watch = watchBody(request.raw)
  const app = await opened.finally(() => watch.end())
  pass(app, request, reply)
}

function pass(app: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  app.routing(raw, reply.raw)
}
