import { createRequire } from 'node:module'
import faces from './faces.js'

faces.checkPeer(faces.peers.msw, createRequire(import.meta.url))
const msw = await import('msw')

export const handlers = (world, options) => faces.handlersWith(msw, world, options)
