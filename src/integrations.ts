import './engine/timers.js'
import { type ApiTypes, handlePart, type MockSandbox } from './api/sandbox-handle.js'
import { connectTo } from './tools/integrations/connect.js'
import type { test as countersignTest } from './tools/integrations/entry-points/playwright.js'
import type { Project } from './tools/integrations/entry-points/vitest.js'
import { testWith as testWithServer } from './tools/integrations/playwright.js'
import { type Runner, setupWith, useSandboxWith as useSandboxOf } from './tools/integrations/vitest.js'

export { handlersWith } from './tools/integrations/msw.js'
export { checkPeer, peers } from './tools/integrations/peer.js'

type Playwright = Parameters<typeof testWithServer>[1]

export const testWith = (playwright: Playwright): typeof countersignTest =>
  testWithServer<ApiTypes>({ connect: (adminUrl) => connectTo(handlePart, adminUrl), start }, playwright)

export const setup = (project: Project) => setupWith(handlePart, startConfigured, project)

export const useSandboxWith = (runner: Runner, report: (text: string) => void): MockSandbox =>
  useSandboxOf(handlePart, runner, report)

async function start(options: object) {
  const { served, startInProcess } = await loadServer()
  return startInProcess(served, options)
}

async function startConfigured(options: object) {
  const { served, startWithConfig } = await loadServer()
  return startWithConfig(served, options)
}

/** Tests that use a running server do not load one. */
async function loadServer() {
  const [{ api }, { startWithConfig, startInProcess }] = await Promise.all([
    import('./api/index.js'),
    import('./server/in-process.js'),
  ])
  return { served: { api, part: handlePart }, startWithConfig, startInProcess }
}
