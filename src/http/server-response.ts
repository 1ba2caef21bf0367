import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { World } from '../world/world.js'
import { announcesBody } from './body.js'
import { httpDate } from './date.js'
import { type DrainBounds, drainBody } from './drain.js'

const latest = new WeakMap<Socket, ServerResponse>()

/** The answer to the last request that began on a connection. */
export function latestAnswer(socket: Socket): ServerResponse | undefined {
  return latest.get(socket)
}

/**
 * The answers of a server that reads on where an answer came before the end of the request's body: to close the
 * connection at once would reset it, and the client would not see the answer. A class, since it is the one thing that
 * all servers of an app share: for `localhost` there are two.
 */
export function serverResponse(root: World, bounds?: DrainBounds): typeof ServerResponse {
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...parts: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...parts)
      const [request] = parts
      latest.set(request.socket, this)
      if (root.clock.frozen && isAnsweredByNode(request)) this.setHeader('date', httpDate(root))
      if (announcesBody(request)) this.once('finish', () => drainBody(request, bounds))
    }
  }
}

/** What Node refuses by itself: HTTP/1.1 without a Host, and expectations that it does not know. */
function isAnsweredByNode({ httpVersionMinor, headers: { host, expect } }: IncomingMessage): boolean {
  return httpVersionMinor === 1 && (host === undefined || (expect !== undefined && !/100-continue/i.test(expect)))
}
