const integrations = require('./integrations.js')

const msw = integrations.requirePeer(integrations.peers.msw, require)

exports.handlers = (world, options) => integrations.handlersWith(msw, world, options)
