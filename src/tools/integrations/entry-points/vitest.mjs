import integrations from './integrations.js'

// A worker has the Vitest that runs, wherever that is installed; the set-up needs none.
const vitest = globalThis.__vitest_index__
integrations.checkPeer(integrations.peers.vitest, import.meta.url)

export default integrations.setup

export function useSandbox() {
  if (vitest === undefined) throw new Error('useSandbox() is for test files: call it where Vitest runs them.')
  return integrations.useSandboxWith(vitest, (text) => console.error(text))
}
