import { createRequire } from 'node:module'
import faces from './faces.js'

faces.checkPeer(faces.peers.vitest, createRequire(import.meta.url))
const vitest = await import('vitest')

export default faces.setup

export function useSandbox() {
  return faces.useSandboxWith({
    inject: vitest.inject,
    beforeEach: vitest.beforeEach,
    file: () => vitest.expect.getState().testPath,
    report: (text) => console.error(text),
  })
}
