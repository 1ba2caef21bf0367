const integrations = require('./integrations.js')

const msw = integrations.checkPeer(integrations.peers.msw, __filename).require('msw')

exports.handlers = (sandbox, options) => integrations.handlersWith(msw, sandbox, options)
