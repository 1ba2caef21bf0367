export type * from '../schemas/plain.js'
export type { Coverage, OutcomeCoverage } from './coverage/coverage.js'
export { type ConnectOptions, connect } from './integrations/connect/connect.js'
export { InvalidOption } from './server/invalid-option.js'
export { PortInUse } from './server/port-in-use.js'
export { startMockServer } from './server/start-mock-server.js'
export type {
  ConnectedServer,
  ConnectedWorld,
  MockServer,
  MockWorld,
  RequestFilter,
  ScenarioName,
} from './server/world-handle.js'
export { type FileComplaint, InvalidFiles } from './text/invalid-files.js'
export type { Deviation, Violation } from './validation/violation.js'
export type { ExchangeEntry, FileEntry } from './world/journal/entry.js'
export type { Delivery, Message } from './world/mail/outbox.js'
