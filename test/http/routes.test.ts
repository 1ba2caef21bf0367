import type { RouteOptions } from 'fastify'
import t from 'tap'
import { bodySchema } from '../../schemas/bodies.js'
import { statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractUnder } from '../../schemas/contracts-under.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { build } from '../helper.js'

const cases: Readonly<Record<string, Readings>> = {
  'the default readings': defaultReadings,
  'other readings': { ...defaultReadings, errorBody: 'flat', emptyFields: 'invalid', unknownSort: 'ignore' },
}

for (const [label, readings] of Object.entries(cases)) {
  t.test(`under ${label}, the route of each operation has its contract’s schemas`, async (t) => {
    const { app } = await build(t, { readings })
    const routes = new Map<string, RouteOptions>()
    app.addHook('onRoute', (route) => void routes.set(`${route.method} ${route.url}`, route))
    await app.ready()
    for (const documented of contracts) {
      const contract = contractUnder(documented, readings)
      const { method, path, params, query, form, id } = contract
      const response = Object.fromEntries(statusesOf(contract).map((status) => [status, bodySchema(contract, status)]))
      const route = routes.get(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
      const own = { ...route?.schema }
      t.strictSame(
        [own.params, own.querystring, own.body, own.response, route?.attachValidation],
        [params, query, form, response, true],
        id,
      )
    }
  })
}
