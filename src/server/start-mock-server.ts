import type { MockServerOptions } from '../../schemas/plain.js'
import type { MockServer } from '../tools/integrations/mock-server.js'

/**
 * Starts a server in this process, on port 4010 unless you set `port` (0 picks a free one). It does not watch files, and
 * reads neither the environment nor the config file, but it does read `./scenarios`.
 *
 * @example
 * const mock = await startMockServer({ port: 0 })
 * const sandbox = await mock.sandbox('worker-3')
 * await sandbox.scenarios.activate('addOrganizationMember:409')
 * await sandbox.fetch('/api/v2/credits/histories?page=1')
 * await mock.close() // or: await using mock = …
 *
 * @throws {InvalidOption} if an option is invalid, or the server cannot listen on the host or port
 * @throws {PortInUse} if another program listens on the port
 * @throws {InvalidFiles} if the fixtures or scenarios cannot be used
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { settingsOf, start } = await import('./in-process.js')
  return start(settingsOf(options), options)
}
