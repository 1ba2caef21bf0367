import './engine/timers.js'
import { startMockServer } from './server/start-mock-server.js'
import type { Project } from './tools/integrations/entry-points/vitest.js'
import { testWith as testWithServer } from './tools/integrations/playwright.js'
import { setupWith } from './tools/integrations/vitest.js'

export { handlersWith } from './tools/integrations/msw.js'
export { checkPeer, peers, requirePeer } from './tools/integrations/peer.js'
export { useSandboxWith } from './tools/integrations/vitest.js'

export const testWith = (playwright: Parameters<typeof testWithServer>[1]) =>
  testWithServer(startMockServer, playwright)

export const setup = (project: Project) =>
  setupWith(async (options) => (await import('./server/in-process.js')).startAsConfigured(options), project)
