const integrations = require('./integrations.js')

const msw = integrations.requirePeer(integrations.peers.msw, require)

exports.handlers = (sandbox, options) => integrations.handlersWith(msw, sandbox, options)
