import { createRequire } from 'node:module'
import integrations from './integrations.js'

integrations.checkPeer(integrations.peers.vitest, createRequire(import.meta.url))
// Before version 4, Vitest cannot be imported where the set-up runs, which does not need it.
const vitest = await import('vitest').catch((error) => error)

export default integrations.setup

export function useSandbox() {
  if (vitest instanceof Error) throw vitest
  return integrations.useSandboxWith({
    inject: vitest.inject,
    beforeEach: vitest.beforeEach,
    file: () => vitest.expect.getState().testPath,
    report: (text) => console.error(text),
  })
}
