import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, listCreditHistories, updateSubOrganizationMember } from '../../schemas/index.js'
import { mutantsOf } from '../../src/coverage/mutants/mutants.js'
import type { Server } from '../../src/server/create-server.js'
import { build, type Changes, send } from '../helper.js'

const prefer = (id: string) => ({ headers: { prefer: `mutant=${id}` } })
const second = { query: { page: '2', order: 'asc' } } satisfies Changes

/** A sandbox for each call, so that no call knows of another. */
function caller(server: Server) {
  let nth = 0
  return (contract: Contract, changes: Changes = {}) => send(server, contract, { ...changes, sandbox: `w-${nth++}` })
}

/** A body without what is another in each world, and at each time. */
const timeless = (body: string) => body.replaceAll(/~w-\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')

for (const contract of contracts as readonly Contract[]) {
  t.test(`every mutant of ${contract.id} alters the answer that it concerns, and no other`, async (t) => {
    const server = await build(t)
    const call = caller(server)
    for (const mutant of mutantsOf(contract)) {
      const [status] = mutant.outcome.split(':').slice(1)
      // The second page of a list in an order is one whose every part can be altered.
      const changes = contract === listCreditHistories ? second : {}
      const due = await call(
        contract,
        status === '200' ? changes : { ...changes, headers: { prefer: `code=${status}` } },
      )
      const asked =
        status === '200' ? prefer(mutant.id) : { headers: { prefer: `code=${status}, mutant=${mutant.id}` } }
      const got = await call(contract, { ...changes, ...asked })
      if (mutant.operator === 'without-effect')
        t.equal(timeless(got.body), timeless(due.body), `${mutant.id}: the answer is as it should be`)
      else if (mutant.operator === 'unnamed') t.notMatch(got.json().error.message, /'/, mutant.id)
      else t.strictNotSame([got.statusCode, got.body], [due.statusCode, due.body], mutant.id)
      t.equal(got.headers['x-mock-outcome'], `${contract.id}:${got.statusCode}`, `${mutant.id}: the header`)
    }
  })
}

t.test('an effect that does not take place, and one that does although the answer denies it', async (t) => {
  const server = await build(t)
  const outbox = (sandbox: string) => server.worlds.sandbox(sandbox)?.outbox.messages().length
  const invite = async (sandbox: string, operator: string) => {
    const asked = prefer(`addOrganizationMember:200/effect/${operator}`)
    return (await send(server, addOrganizationMember, { ...asked, sandbox })).statusCode
  }
  t.equal(await invite('none', 'without-effect'), 200)
  t.equal(outbox('none'), 0, 'no mail is sent')
  t.equal(await invite('hidden', 'despite-500'), 500)
  t.equal(outbox('hidden'), 1, 'a mail is sent')
  const answers500 = prefer('addOrganizationMember:200/answer/status-500')
  t.equal((await send(server, addOrganizationMember, { ...answers500, sandbox: 'other' })).statusCode, 500)
  t.equal(outbox('other'), 0, 'another status alone leaves the state as it was')
})

t.test('what an operation would refuse is refused as ever', async (t) => {
  const server = await build(t)
  const asked = prefer('updateSubOrganizationMember:200/effect/without-effect')
  const answer = await send(server, updateSubOrganizationMember, { ...asked, params: { subOrgMemberId: '999' } })
  t.equal(answer.statusCode, 404)
})

t.test('a page that is not turned has the records of the first', async (t) => {
  const server = await build(t)
  const first = await send(server, listCreditHistories, { query: { page: '1' } })
  const got = await send(server, listCreditHistories, {
    ...prefer('listCreditHistories:200/page/not-turned'),
    query: { page: '2' },
  })
  t.strictSame(got.json(), { ...first.json(), page: 2 })
})

t.test('a scenario alters the answers of its world while it is on', async (t) => {
  const server = await build(t)
  const id = 'listCreditHistories:200/total/one-more'
  const total = async (sandbox?: string) => {
    return (await send(server, listCreditHistories, sandbox === undefined ? {} : { sandbox })).json().total
  }
  const before = await total('a')
  const put = await server.app.inject({
    method: 'PUT',
    url: `/~a/__admin/scenarios/${encodeURIComponent(`mutant:${id}`)}`,
    payload: { active: true },
  })
  t.equal(put.statusCode, 200, put.body)
  t.equal(await total('a'), before + 1)
  t.equal(await total('b'), before, 'other worlds are as before')
})

async function refused(t: Test, id: string): Promise<void> {
  const server = await build(t)
  const answer = await send(server, listCreditHistories, prefer(id))
  t.match(answer.json(), { status: 400, code: 'unknown-mutant' }, id)
  t.match(answer.json().detail, id)
}

t.test('what is no mutant of the operation is refused', async (t) => {
  await refused(t, 'listCreditHistories:200/total/one-less')
  await refused(t, 'addOrganizationMember:200/effect/without-effect')
  await refused(t, 'x')
})
