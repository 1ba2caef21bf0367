import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { folder } from '../binary.js'
import { type RuleSource, type Server, send, withRules } from '../helper.js'

/** Sends ten invitations at once to a server that saves its state; counts the calls that the rule answers. */
async function countAnswered(t: Test, rule: RuleSource): Promise<number> {
  const server: Server = await withRules(t, [{ on: '*', ...rule }], { persist: join(folder(t), 'state.json') })
  const calls = Array.from({ length: 10 }, (_, at) =>
    send(server, addOrganizationMember, { form: { 'data[0][email]': `guest-${at}@example.test` } }),
  )
  const responses = await Promise.all(calls)
  return responses.filter(({ statusCode, headers }) => statusCode === 500 || headers['x-hit'] === 'yes').length
}

t.test('a rule answers no more simultaneous calls than it allows', async (t) => {
  t.equal(await countAnswered(t, { times: 1, answer: { headers: { 'x-hit': 'yes' } } }), 1, 'with headers')
  t.equal(await countAnswered(t, { times: 2, answer: { status: 500, effect: 'after' } }), 2, 'with effect: after')
  const once = { when: { state: 'Started' }, then: 'Over', answer: { status: 500, effect: 'after' } }
  t.equal(await countAnswered(t, once), 1, 'with a new state')
})
