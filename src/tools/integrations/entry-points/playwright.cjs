const integrations = require('./integrations.js')

const playwright = integrations.requirePeer(integrations.peers.playwright, require)

exports.test = integrations.testWith(playwright)
exports.expect = playwright.expect
