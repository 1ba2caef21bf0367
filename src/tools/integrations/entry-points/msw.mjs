import { pathToFileURL } from 'node:url'
import integrations from './integrations.js'

const found = integrations.checkPeer(integrations.peers.msw, import.meta.url)
const msw = await import(found.isNearby ? 'msw' : pathToFileURL(found.require.resolve('msw')).href)

export const handlers = (sandbox, options) => integrations.handlersWith(msw, sandbox, options)
