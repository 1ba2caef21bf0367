import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, requestOf } from '../helper.js'
import { folderOf } from './play.js'

type Call = (contract: Contract) => Promise<unknown>

/** How a page of an origin calls a server, over a connection that has served calls before: the status, or the error's name. */
async function callsOf(t: Test, url: string, origin: string): Promise<Call> {
  const context = await (await aBrowser()).newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(`${origin}/__admin/health`)
  const call: Call = (contract) => {
    const { url: path, method, headers, payload } = requestOf(contract)
    const body = payload === undefined ? 'undefined' : `new TextEncoder().encode(${JSON.stringify(String(payload))})`
    return page.evaluate(
      `fetch(${JSON.stringify(url + path)}, { ...${JSON.stringify({ method, headers })}, body: ${body} })
        .then(({ status }) => status, ({ name }) => name)`,
    )
  }
  for (let nth = 0; nth < 3; nth++) await call(listCreditHistories)
  return call
}

t.test('a page sees a broken connection once, and sends nothing again', { skip: noBrowser }, async (t) => {
  for (const fault of ['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']) {
    for (const host of ['127.0.0.1', 'localhost']) {
      await t.test(`${fault}, a page of ${host}`, async (t) => {
        const rules = [{ on: 'listCreditHistories', times: 1, answer: { fault } }]
        const server = await build(t, { scenarios: folderOf(t, { broken: rules }) })
        const url = await server.listen()
        const call = await callsOf(t, url, url.replace('127.0.0.1', host))
        server.worlds.root.playback.activate('broken')
        const { journal } = server.worlds.root
        const known = journal.exchanges().length
        t.equal(await call(listCreditHistories), 'TypeError', 'the call fails')
        t.equal(journal.exchanges().length, known + 1, 'and was made once')
        t.equal(await call(listCreditHistories), 200, 'the next call is answered')
      })
    }
  }

  await t.test('the scenario saved-but-failed', async (t) => {
    const server = await build(t, { scenarios: 'fixtures/scenarios' })
    const url = await server.listen()
    const call = await callsOf(t, url, url.replace('127.0.0.1', 'localhost'))
    server.worlds.root.playback.activate('saved-but-failed')
    const { journal, outbox } = server.worlds.root
    const known = journal.exchanges().length
    t.equal(await call(addOrganizationMember), 'TypeError', 'the call fails')
    t.equal(journal.exchanges().length, known + 1, 'and was made once')
    t.equal(outbox.messages().length, 1, 'yet its invitation was sent')
    t.equal(await call(addOrganizationMember), 200, 'the next call is answered')
  })
})
