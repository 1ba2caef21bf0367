import type { FastifyInstance } from 'fastify'
import { quote } from '../text/wording.js'
import { InvalidOption } from './invalid-option.js'
import { PortInUse } from './port-in-use.js'

/**
 * Makes an app listen.
 * @throws {PortInUse} if another program already listens there
 * @throws {InvalidOption} if the app cannot listen on the host or port
 */
export async function listenAt(app: Pick<FastifyInstance, 'listen'>, host: string, port: number): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw await portInUse(host, port)
    const message = REASONS[code]?.(host, port)
    throw message === undefined ? error : new InvalidOption(message, { cause: error })
  }
}

/** Only a start that fails looks for another port. */
async function portInUse(host: string, port: number): Promise<PortInUse> {
  const { nextFreePort } = await import('./free-port.js')
  return new PortInUse(port, host, await nextFreePort(host, port))
}

const isNoAddress = (host: string) =>
  `The host ${quote(host)} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`

/** Why a place cannot be listened at, and what to do, by the code of the error. */
const REASONS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EACCES: (_, port) =>
    `Listening on port ${port} is not permitted. Use a port above 1023, or --port 0 for any free one.`,
  EADDRNOTAVAIL: isNoAddress,
  EAFNOSUPPORT: isNoAddress,
  EAI_AGAIN: isNoAddress,
  EINVAL: isNoAddress,
  ENOTFOUND: isNoAddress,
}
