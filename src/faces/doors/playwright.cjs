const faces = require('./faces.js')

const playwright = faces.requirePeer(faces.peers.playwright, require)

exports.test = faces.testWith(playwright)
exports.expect = playwright.expect
