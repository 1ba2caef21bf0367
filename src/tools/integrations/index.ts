export { handlersWith } from './msw.js'
export { checkPeer, peers, requirePeer } from './peer.js'
export { testWith } from './playwright.js'
export { setup, useSandboxWith } from './vitest.js'
