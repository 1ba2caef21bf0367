import { createRequire } from 'node:module'
import integrations from './integrations.js'

integrations.checkPeer(integrations.peers.msw, createRequire(import.meta.url))
const msw = await import('msw')

export const handlers = (sandbox, options) => integrations.handlersWith(msw, sandbox, options)
