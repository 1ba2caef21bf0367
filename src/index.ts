import './engine/timers.js'
import type { MockServerOptions } from '../schemas/plain.js'
import { handlePart, type MockServer } from './api/sandbox-handle.js'
import { type ConnectOptions, connectTo } from './tools/integrations/connect.js'

export type * from '../schemas/plain.js'
export type {
  InvitationMail as Message,
  MockSandbox,
  MockServer,
  RequestFilter,
  ScenarioName,
} from './api/sandbox-handle.js'
export type { FileEntry } from './engine/contract/fields.js'
export { type FileComplaint, InvalidFiles } from './engine/files/invalid-files.js'
export { InvalidOption } from './engine/files/invalid-option.js'
export type { ExchangeEntry, ViolationEntry as Violation } from './engine/journal/entry.js'
export type { Deviation } from './engine/judge/violation.js'
export type { Delivery } from './engine/sandbox/mail/outbox.js'
export { PortInUse } from './server/listen.js'
export type { ConnectOptions } from './tools/integrations/connect.js'
export type { Coverage, OutcomeCoverage } from './tools/report/report.js'

/**
 * Starts a server in this process, on port 4010 unless you set `port` (0 picks a free one). It does not watch files,
 * and reads neither the environment nor the config file, but it does read `./scenarios`.
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
  const [{ api }, { startInProcess }] = await Promise.all([import('./api/index.js'), import('./server/in-process.js')])
  return startInProcess({ api, part: handlePart }, options)
}

/**
 * Connects to a server that is already running, and returns the same handle as `startMockServer`. The admin URL of a
 * sandbox, `…/~NAME/__admin`, gives a handle to that sandbox.
 *
 * @example
 * const mock = await connect(process.env.COUNTERSIGN_ADMIN_URL ?? 'http://127.0.0.1:4010/__admin')
 * const sandbox = await mock.sandbox('worker-3')
 * await sandbox.scenarios.activate('addOrganizationMember:409')
 *
 * @throws {InvalidOption} if the URL or the token is invalid, or the server has an incompatible version
 * @throws {Error} if no server answers
 */
export async function connect(adminUrl: string | URL, options: ConnectOptions = {}): Promise<MockServer> {
  return connectTo(handlePart, adminUrl, options)
}
