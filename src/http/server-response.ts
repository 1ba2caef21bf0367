import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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
export function serverResponse(bounds?: DrainBounds): typeof ServerResponse {
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...parts: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...parts)
      const [request] = parts
      latest.set(request.socket, this)
      if (announcesBody(request)) this.once('finish', () => drainBody(request, bounds))
    }
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
