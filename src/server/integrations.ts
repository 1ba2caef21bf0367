import '../mock/text/own-timers.js'
import type { Project } from '../tools/integrations/entry-points/vitest.js'
import { testWith as testWithServer } from '../tools/integrations/playwright.js'
import { setupWith } from '../tools/integrations/vitest.js'
import { startMockServer } from './start-mock-server.js'

export { handlersWith } from '../tools/integrations/msw.js'
export { checkPeer, peers, requirePeer } from '../tools/integrations/peer.js'
export { useSandboxWith } from '../tools/integrations/vitest.js'

export const testWith = (playwright: Parameters<typeof testWithServer>[1]) =>
  testWithServer(startMockServer, playwright)

export const setup = (project: Project) =>
  setupWith(async (options) => (await import('./in-process.js')).startAsConfigured(options), project)
