import { createRequire } from 'node:module'
import integrations from './integrations.js'

// Not by the other entry point: on Node 20, an import() that fails in CommonJS ends the process.
const playwright = integrations.requirePeer(integrations.peers.playwright, createRequire(import.meta.url))

export const test = integrations.testWith(playwright)
export const { expect } = playwright
