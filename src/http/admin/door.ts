import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { watchBody } from '../body.js'

/** What is below it, and the page that it is itself. */
const places: Readonly<Record<string, HTTPMethods[]>> = {
  '/__admin': ['GET', 'HEAD'],
  '/__admin/*': ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
}

/** Leads to the app of the admin API, which `open` makes when it is first called: a start does not wait for its routes. */
export function addAdminDoor(app: FastifyInstance, open: () => Promise<FastifyInstance>): void {
  let opening: Promise<FastifyInstance> | undefined
  let admin: FastifyInstance | undefined
  const openAdmin = async () => {
    opening ??= open()
    try {
      admin = await opening
      return admin
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  // Before the body is read, which is the other app's to do.
  const enter = (request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) => {
    if (admin !== undefined) pass(admin, request, reply)
    else passLater(openAdmin(), request, reply).catch(done)
  }
  for (const prefix of ['', '/~:sandbox']) {
    for (const [path, method] of Object.entries(places)) {
      app.route({ method, url: prefix + path, onRequest: enter, handler: () => {} })
    }
  }
  app.addHook('preClose', async () => admin?.close())
  app.decorate('openAdmin', openAdmin)
}

async function passLater(
  opened: Promise<FastifyInstance>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const watch = watchBody(request.raw)
  const admin = await opened.finally(() => watch.end())
  pass(admin, request, reply)
}

function pass(admin: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  admin.routing(raw, reply.raw)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the app of the admin API, unless it is there. */
    openAdmin(): Promise<FastifyInstance>
  }
}
