import t, { type Test } from 'tap'
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
function edited({ credit_histories: [history], attachments: [attachment] }: Records): Records {
  return {
    credit_histories: [{ ...(history as Records['credit_histories'][0]), amount: 424_242 }],
    attachments: [{ ...(attachment as Records['attachments'][0]), name: 'Edited contract' }],
  }
}

for (const sandbox of [undefined, 'a']) {
  const where = sandbox === undefined ? 'the root' : 'a sandbox'
  const admin = `${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/state`

  t.test(`a record that was patched is listed and found in ${where}, and nowhere else`, async (t) => {
    const server = await build(t)
    const other = sandbox === undefined ? 'b' : undefined
    await shownIn(server, sandbox)
    await shownIn(server, other)
    const payload = edited((await server.app.inject(admin)).json())
    await server.app.inject({ method: 'PATCH', url: admin, payload })
    isShown(t, await shownIn(server, sandbox))
    t.notOk((await shownIn(server, other)).amounts.includes(424_242), 'another world is as it was')
    payload.credit_histories = payload.credit_histories.map((one) => ({ ...one, amount: 434_343 }))
    await server.app.inject({ method: 'PATCH', url: admin, payload })
    const { amounts } = await shownIn(server, sandbox)
    t.same([amounts.includes(424_242), amounts.includes(434_343)], [false, true], 'and so is the next patch')
    await server.app.inject({ method: 'POST', url: admin.replace('state', 'reset') })
    t.notOk((await shownIn(server, sandbox)).amounts.includes(434_343), 'a reset brings the fixtures back')
  })

  t.test(`a state that was put is listed and searched in ${where}`, async (t) => {
    const server = await build(t)
    await shownIn(server, sandbox)
    const state = (await server.app.inject(admin)).json()
    const payload = { ...state, ...edited(state) }
    await server.app.inject({ method: 'PUT', url: admin, payload })
    const shown = await shownIn(server, sandbox)
    t.strictSame(shown, { amounts: [424_242], found: ['Edited contract'] }, 'and nothing else')
  })
}

function isShown(t: Test, { amounts, found }: Awaited<ReturnType<typeof shownIn>>): void {
  t.ok(amounts.includes(424_242), 'the list has the new amount')
  t.same(found, ['Edited contract'], 'the search finds the new name')
}
