const integrations = require('./integrations.js')

const playwright = integrations.checkPeer(integrations.peers.playwright, __filename).require('@playwright/test')

exports.test = integrations.testWith(playwright)
exports.expect = playwright.expect
