import { createRequire } from 'node:module'
import faces from './faces.js'

// Not by the other door: on Node 20, an import() that fails in CommonJS ends the process.
const playwright = faces.requirePeer(faces.peers.playwright, createRequire(import.meta.url))

export const test = faces.testWith(playwright)
export const { expect } = playwright
