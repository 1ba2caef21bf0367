import type { MockServerOptions } from '../../schemas/plain.js'
import type { MockServer } from './world-handle.js'

/**
 * Starts a server in this process, by default on port 4010 (`port: 0` takes a free one), without watching files. The
 * environment and the config file are not read; `./scenarios` is.
 *
 * @example
 * const mock = await startMockServer({ port: 0 })
 * const world = mock.sandbox('worker-3')
 * world.scenarios.activate('addOrganizationMember:409')
 * await world.fetch('/api/v2/credits/histories?page=1')
 * await mock.close() // or: await using mock = …
 *
 * @throws {InvalidOption} for options that do not fit, and for a host or a port that cannot be listened on
 * @throws {PortInUse} where another program listens on the port
 * @throws {InvalidFiles} for fixtures or scenarios that cannot be used
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { startInProcess } = await import('./in-process.js')
  return startInProcess(options)
}
