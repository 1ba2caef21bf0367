import type { Agent, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

type Create = (...given: unknown[]) => Socket
type Callback = (error?: Error | null) => void

/** Connections on which something that was written has not arrived, or may not have. */
const cut = new WeakSet<Socket>()

/** Has an agent's connections be read to their end, whatever becomes of what is written. */
export function readingToTheEnd<A extends Agent>(agent: A): A {
  const { createConnection } = agent as unknown as { readonly createConnection: Create }
  const create: Create = (...given) => readToTheEnd(createConnection.apply(agent, given))
  return Object.assign(agent, { createConnection: create })
}

/**
 * A provider may answer and leave before it has read all of a request. To write then fails, and Node would throw away
 * what has been received and is not read yet. So such a failure is kept quiet and what is still to be written is dropped:
 * the end of the connection follows behind what the provider has said.
 */
function readToTheEnd(socket: Socket): Socket {
  const { _write, _writev } = socket
  const unlessCut = (callback: Callback, write: (callback: Callback) => void) => {
    if (cut.has(socket)) return callback()
    write((error) => {
      if (!isCut(error)) return callback(error)
      cut.add(socket)
      callback()
    })
  }
  socket._write = (chunk, encoding, callback) =>
    unlessCut(callback, (heard) => _write.call(socket, chunk, encoding, heard))
  socket._writev = (chunks, callback) => unlessCut(callback, (heard) => _writev?.call(socket, chunks, heard))
  return socket.prependListener('end', () => askForReset(socket))
}

function isCut(error: (Error & { readonly code?: string }) | null | undefined): boolean {
  return error?.code === 'EPIPE' || error?.code === 'ECONNRESET'
}

/**
 * A reset right behind the last bytes is told as an orderly end. To write nothing sends nothing, and fails after a reset;
 * where something is still to be written, that cannot be asked. TLS keeps the failure to itself.
 */
function askForReset(socket: Socket): void {
  if (socket.writableLength > 0) cut.add(socket)
  else if (!('encrypted' in socket)) socket.write('')
}

/** Whether all of an answer has come, where its end has: one that only its connection ends needs an orderly end of that. */
export function isAnswerWhole({ headers, socket }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  const untilClose = coding === undefined ? headers['content-length'] === undefined : !/\bchunked\s*$/i.test(coding)
  return !untilClose || (socket.readableEnded && !cut.has(socket))
}
