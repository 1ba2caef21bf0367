const { peers, setup } = require('./integrations.js')

// With Plug'n'Play, Vitest takes its set-up from here, and what is exported as the default.
module.exports = setup
module.exports.default = setup

// Vitest cannot be required, so neither can a module that imports it.
module.exports.useSandbox = () => {
  throw new Error(`${peers.vitest.integration} is for ES modules, as Vitest is: import it instead of requiring it.`)
}
