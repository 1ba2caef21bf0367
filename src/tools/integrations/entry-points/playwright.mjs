import integrations from './integrations.js'

// Not by the other entry point: on Node 20, an import() that fails in CommonJS ends the process.
const playwright = integrations.checkPeer(integrations.peers.playwright, import.meta.url).require('@playwright/test')

export const test = integrations.testWith(playwright)
export const { expect } = playwright
