import t from 'tap'
import type { Contract } from '../../src/engine/contract/contract.js'
import { checkAnswer } from '../../src/engine/judge/deviations.js'
import { build, type Changes, contracts, lastExchange, send } from '../helper.js'

function invalidRequests({ query, form }: Contract): [string, Changes][] {
  const without = (part: 'query' | 'form', names: readonly string[] = []): [string, Changes][] =>
    names.map((name) => [`${part} ${name}`, { [part]: { [name]: undefined } }])
  return [...without('query', query.required), ...without('form', form?.required)]
}

t.test("a route's schemas validate: without them, no parameter is required", async (t) => {
  const unvalidated = await build(t)
  unvalidated.app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/__admin')) delete route.schema
  })
  for (const contract of contracts) {
    for (const [name, changes] of invalidRequests(contract)) {
      await send(unvalidated, contract, changes)
      const { violations } = await lastExchange(unvalidated)
      t.notMatch(violations, [{ code: 'missing-parameter' }], `${contract.id} without ${name} and schemas`)
    }
  }
})

t.test('the answers of our own handlers fit their contracts', async (t) => {
  const server = await build(t)
  for (const contract of contracts) {
    for (const changes of [{}, { headers: { authorization: undefined } }]) {
      const { statusCode: status, headers, payload: text } = await send(server, contract, changes)
      const answer = { status, contentType: String(headers['content-type']), text }
      t.same(checkAnswer(contract, answer), [], `${contract.id}:${status} fits`)
    }
  }
})
