const faces = require('./faces.js')

const msw = faces.requirePeer(faces.peers.msw, require)

exports.handlers = (world, options) => faces.handlersWith(msw, world, options)
