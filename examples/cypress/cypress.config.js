import { connect } from 'countersign'
import { defineConfig } from 'cypress'

const { COUNTERSIGN_URL: url, COUNTERSIGN_ADMIN_URL: adminUrl } = process.env

export default defineConfig({
  e2e: {
    baseUrl: `${url}/~cypress`,
    supportFile: false,
    async setupNodeEvents(on) {
      const mock = await connect(adminUrl)
      const world = await mock.sandbox('cypress')
      // A task gives null where there is nothing to tell.
      on('task', {
        reset: () => world.reset().then(() => null),
        activate: (name) => world.scenarios.activate(name).then(() => null),
        mailTo: (to) => world.outbox.waitFor({ to }),
        requests: (operation) => world.requests({ operation }),
      })
    },
  },
})
