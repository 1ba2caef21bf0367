import t from 'tap'
import type { Fixtures } from '../../schemas/fixtures.js'
import { listCreditHistories, searchProtectedAttachments } from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { build, send } from '../helper.js'

type Records = Required<Pick<Fixtures, 'credit_histories' | 'attachments'>>

/** What the list and the search answer with, in one world. */
async function shownIn(server: Server, sandbox: string | undefined) {
  const list = await send(server, listCreditHistories, { sandbox, query: { page: 1, per_page: 100 } })
  const search = await send(server, searchProtectedAttachments, { sandbox, query: { 'keyword[sample_1]': 'Edited' } })
  const histories: { amount: number }[] = list.json().histories
  return {
    amounts: histories.map(({ amount }) => amount),
    found: search.statusCode === 200 ? search.json().data.map(({ name }: { name: string }) => name) : [],
  }
}

/** One credit history and one attachment of those that are listed and found, changed. */
function edited({ credit_histories: [history], attachments: [attachment] }: Records, amount: number): Records {
  return {
    credit_histories: [{ ...(history as Records['credit_histories'][0]), amount }],
    attachments: [{ ...(attachment as Records['attachments'][0]), name: 'Edited contract' }],
  }
}

for (const [where, sandbox, other, admin] of [
  ['the root', undefined, 'b', '/__admin'],
  ['a sandbox', 'a', undefined, '/~a/__admin'],
] as const) {
  t.test(`a record that was patched or put is listed and found in ${where}, and nowhere else`, async (t) => {
    const server = await build(t)
    const state = (await server.app.inject(`${admin}/state`)).json()
    await shownIn(server, sandbox)
    const before = await shownIn(server, other)
    for (const amount of [424_242, 434_343]) {
      await server.app.inject({ method: 'PATCH', url: `${admin}/state`, payload: edited(state, amount) })
      const { amounts, found } = await shownIn(server, sandbox)
      const edits = amounts.filter((one) => !before.amounts.includes(one))
      t.same([edits, found], [[amount], ['Edited contract']], `the list has ${amount}, the search the new name`)
    }
    t.strictSame(await shownIn(server, other), before, 'another world is as it was')
    await server.app.inject({ method: 'POST', url: `${admin}/reset` })
    t.notOk((await shownIn(server, sandbox)).amounts.includes(434_343), 'a reset brings the fixtures back')
    const payload = { ...state, ...edited(state, 424_242) }
    await server.app.inject({ method: 'PUT', url: `${admin}/state`, payload })
    t.strictSame(await shownIn(server, sandbox), { amounts: [424_242], found: ['Edited contract'] }, 'nothing else')
  })
}
