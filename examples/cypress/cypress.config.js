import { connect } from 'countersign'
import { defineConfig } from 'cypress'

const { COUNTERSIGN_URL: url, COUNTERSIGN_ADMIN_URL: adminUrl } = process.env

export default defineConfig({
  e2e: {
    baseUrl: `${url}/~cypress`,
    supportFile: false,
    async setupNodeEvents(on) {
      const mock = await connect(adminUrl)
      const sandbox = await mock.sandbox('cypress')
      // A task without a result must return null.
      on('task', {
        reset: () => sandbox.reset().then(() => null),
        activate: (name) => sandbox.scenarios.activate(name).then(() => null),
        mailTo: (to) => sandbox.outbox.waitFor({ to }),
        requests: (operation) => sandbox.requests({ operation }),
      })
    },
  },
})
