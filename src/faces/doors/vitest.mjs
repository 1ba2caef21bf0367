import { createRequire } from 'node:module'
import faces from './faces.js'

faces.checkPeer(faces.peers.vitest, createRequire(import.meta.url))
// Before version 4, Vitest cannot be imported where the set-up runs, which does not need it.
const vitest = await import('vitest').catch((error) => error)

export default faces.setup

export function useSandbox() {
  if (vitest instanceof Error) throw vitest
  return faces.useSandboxWith({
    inject: vitest.inject,
    beforeEach: vitest.beforeEach,
    file: () => vitest.expect.getState().testPath,
    report: (text) => console.error(text),
  })
}
