import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import type { RouteOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { Contract } from '../../src/engine/contract/contract.js'
import { build, type Changes, contracts, type Server, send } from '../helper.js'

type Schema = NonNullable<RouteOptions['schema']>

async function withRoutes(t: Test, inspect: (route: RouteOptions) => void): Promise<Server> {
  const server = await build(t)
  server.app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/__admin')) inspect(route)
  })
  return server
}

function invalidRequests({ query, form }: Contract): [string, Changes][] {
  const without = (part: 'query' | 'form', names: readonly string[] = []): [string, Changes][] =>
    names.map((name) => [`${part} ${name}`, { [part]: { [name]: undefined } }])
  return [...without('query', query.required), ...without('form', form?.required)]
}

t.test("a route's schemas validate: without them, no parameter is required", async (t) => {
  const unvalidated = await withRoutes(t, (route) => {
    delete route.schema
  })
  for (const contract of contracts) {
    for (const [name, changes] of invalidRequests(contract)) {
      await send(unvalidated, contract, changes)
      const { violations } = (await unvalidated.app.inject('/__admin/requests')).json().requests[0]
      t.notMatch(violations, [{ code: 'missing-parameter' }], `${contract.id} without ${name} and schemas`)
    }
  }
})

t.test('an invalid request gets the violations of every part, not only of the first', async (t) => {
  const server = await build(t)
  const [update] = contracts.filter(({ id }) => id === 'updateSubOrganizationMember') as [Contract]
  const invalid = { params: { subOrgMemberId: ' ' }, query: { user_type: 'X' }, form: { role: 'Boss' } }
  const response = await send(server, update, invalid)
  t.equal(response.statusCode, 400)
  const journal = await server.app.inject('/__admin/requests')
  const places = journal.json().requests[0].violations.map(({ where }: { where: string }) => where)
  t.strictSame(places, ['path.subOrgMemberId', 'query.user_type', 'form.role'])
})

t.test('the answers of our own handlers fit the response schemas of their routes', async (t) => {
  const schemas = new Map<string, Schema>()
  const server = await withRoutes(t, ({ schema, config }) => {
    const id = config?.operation?.contract.id
    if (id !== undefined && schema !== undefined) schemas.set(id, schema)
  })
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const contract of contracts) {
    const cases: [number, Changes][] = [
      [200, {}],
      [401, { headers: { authorization: undefined } }],
    ]
    for (const [status, changes] of cases) {
      const response = await send(server, contract, changes)
      t.equal(response.statusCode, status, `${contract.id}:${status}`)
      const declared = schemas.get(contract.id)?.response as Readonly<Record<number, TSchema>>
      const fits = ajv.compile(declared[status] as TSchema)
      t.ok(fits(response.json()), `${contract.id}:${status} fits`, { errors: fits.errors })
    }
  }
})
