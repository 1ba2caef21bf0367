import integrations from './integrations.js'

// Vitest sets this global in its workers, not in the global setup; an import could load another copy.
const vitest = globalThis.__vitest_index__
integrations.checkPeer(integrations.peers.vitest, import.meta.url)

export default integrations.setup

export function useSandbox() {
  if (vitest === undefined) throw new Error('Call useSandbox() only in a test file that Vitest runs.')
  return integrations.useSandboxWith(vitest, (text) => console.error(text))
}
