const { peers, setup } = require('./integrations.js')

exports.default = setup

// Vitest cannot be required, so neither can what stands on it.
exports.useSandbox = () => {
  throw new Error(`${peers.vitest.integration} is for ES modules, as Vitest is: import it instead of requiring it.`)
}
