import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { mutantsOf } from '../../src/coverage/mutants/mutants.js'
import { build, type Changes, send } from '../helper.js'

const prefer = (...asked: string[]) => ({ headers: { prefer: asked.join(', ') } })

/** A body without what is another in each world, and at each time. */
const timeless = (body: string) => body.replaceAll(/~w-\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')

for (const contract of contracts as readonly Contract[]) {
  t.test(`every mutant of ${contract.id} alters the answer that it concerns, and no other`, async (t) => {
    const server = await build(t)
    let nth = 0
    // The second page of a list in an order is one whose every part can be altered.
    const changes: Changes = contract === listCreditHistories ? { query: { page: '2', order: 'asc' } } : {}
    // A sandbox for each call, so that no call knows of another.
    const call = (...asked: string[]) =>
      send(server, contract, { ...changes, ...(asked.length > 0 && prefer(...asked)), sandbox: `w-${nth++}` })
    for (const { id, outcome, operator } of mutantsOf(contract)) {
      const status = outcome.split(':')[1]
      const forced = status === '200' ? [] : [`code=${status}`]
      const due = await call(...forced)
      const got = await call(...forced, `mutant=${id}`)
      if (operator === 'without-effect')
        t.equal(timeless(got.body), timeless(due.body), `${id}: the answer is as it was`)
      else if (operator === 'unnamed') t.notMatch(got.json().error.message, /'/, id)
      else t.strictNotSame([got.statusCode, got.body], [due.statusCode, due.body], id)
      t.equal(got.headers['x-mock-outcome'], `${contract.id}:${got.statusCode}`, `${id}: the header says what came`)
    }
  })
}

t.test('an effect that does not take place, and one that does although the answer denies it', async (t) => {
  const server = await build(t)
  for (const [sandbox, mutant, status, mails] of [
    ['none', 'effect/without-effect', 200, 0],
    ['hidden', 'effect/despite-500', 500, 1],
    ['other', 'answer/status-500', 500, 0],
  ] as const) {
    const asked = prefer(`mutant=addOrganizationMember:200/${mutant}`)
    const { statusCode } = await send(server, addOrganizationMember, { ...asked, sandbox })
    t.same([statusCode, server.worlds.sandbox(sandbox)?.outbox.messages().length], [status, mails], mutant)
  }
})

t.test('a scenario alters the answers of its world while it is on', async (t) => {
  const server = await build(t)
  const total = async (sandbox: string) => (await send(server, listCreditHistories, { sandbox })).json().total
  const before = await total('a')
  const url = `/~a/__admin/scenarios/${encodeURIComponent('mutant:listCreditHistories:200/total/one-more')}`
  const put = await server.app.inject({ method: 'PUT', url, payload: { active: true } })
  t.equal(put.statusCode, 200, put.body)
  t.equal(await total('a'), before + 1)
  t.equal(await total('b'), before, 'other worlds are as before')
})

t.test('what is no mutant of the operation is refused', async (t) => {
  const server = await build(t)
  for (const id of ['listCreditHistories:200/total/one-less', 'addOrganizationMember:200/effect/without-effect', 'x']) {
    const answer = await send(server, listCreditHistories, prefer(`mutant=${id}`))
    t.match(answer.json(), { status: 400, code: 'unknown-mutant', detail: id })
  }
})
