import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Fault } from '../../../schemas/scenario.js'
import { drain } from '../drain.js'

type Break = (reply: FastifyReply) => void | Promise<void>

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\n'
/** A pause, so that what was written is on its way before the connection goes. */
const PAUSE = 20

/** How each fault breaks the connection, as the client sees it. */
const breaks: { readonly [F in Fault]: Break } = {
  CONNECTION_RESET_BY_PEER: ({ raw }) => {
    raw.socket?.resetAndDestroy()
  },
  EMPTY_RESPONSE: ({ raw }) => {
    // A request body that nobody read would turn the end into a reset.
    raw.req.resume()
    if (raw.socket !== null) drain(raw.socket.end())
  },
  MALFORMED_RESPONSE_CHUNK: async ({ raw }) => {
    raw.socket?.write(`${HEAD}transfer-encoding: chunked\r\n\r\nnot a chunk size\r\n{"status":`)
    await sleep(PAUSE)
    raw.socket?.destroy()
  },
  RANDOM_DATA_THEN_CLOSE: async ({ raw }) => {
    raw.socket?.write(Buffer.from(GARBAGE, 'base64'))
    await sleep(PAUSE)
    raw.socket?.destroy()
  },
  TIMEOUT: () => {
    // Never answered: the client gives up, or the server closes.
  },
}

/** Always the same bytes, none of which begins an HTTP answer. */
const GARBAGE = 'gP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEAgP8Aq83vEjRWeJq83vD/7t3Mu6qZiHdmVUQzIhEA'

/** Breaks the connection instead of answering. */
export function breakConnection(reply: FastifyReply, fault: Fault): void {
  reply.hijack()
  void breaks[fault](reply)
}
