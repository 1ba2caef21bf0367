import { setImmediate as turn } from 'node:timers/promises'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { fileOf, send } from '../helper.js'
import { count, fits, focused, open, phone, sees, visit } from './page.js'

const MARKUP = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
const RIGHT_TO_LEFT = 'שלום \u202eevil\u202c عالم'
const LONG = 'x'.repeat(20_000)
const every = Uint8Array.from({ length: 2_000 }, (_, at) => at % 256)

visit('whatever is sent is shown as text', { look: phone, expected: /404/ }, async (t, visit) => {
  const { server, page } = visit
  const openExchange = async (id: string) => {
    await open(visit, `requests/${id}`)
    await focused(page, 'h2')
    await page.getByRole('heading', { name: 'Answer' }).waitFor()
    t.ok(await fits(page), `${id}: nothing sticks out`)
  }
  await send(server, addOrganizationMember, {
    form: { 'data[0][first_name]': MARKUP, 'data[0][last_name]': RIGHT_TO_LEFT, [`${MARKUP}${LONG}`]: LONG },
    query: { user_type: 'ENTERPRISE_API', [LONG]: MARKUP },
  })
  await openExchange('x1')
  t.equal(await page.locator('main img, main script').count(), 0, 'markup is no markup')
  await sees(page, MARKUP)
  await sees(page, '\\u202eevil')
  await send(server, uploadSignature, { form: { file: fileOf(every, `${MARKUP}${RIGHT_TO_LEFT}.png`) } })
  await openExchange('x2')
  await sees(page, '2,000 bytes')
  await server.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/odd',
    payload: {
      active: true,
      description: MARKUP + LONG,
      rules: [
        {
          on: '*',
          times: 1,
          offContract: true,
          answer: { status: 502, headers: { 'content-type': 'text/html' }, body: MARKUP },
        },
        { on: '*', offContract: true, answer: { body: { [MARKUP]: [RIGHT_TO_LEFT, LONG, '\u0000\u0007\u009f'] } } },
      ],
    },
  })
  await send(server, listCreditHistories)
  await openExchange('x3')
  await sees(page, MARKUP)
  await send(server, listCreditHistories)
  await openExchange('x4')
  await sees(page, RIGHT_TO_LEFT.split(' ')[0] as string)
  const odd = ['requests/%E0%A4%A', 'scenarios/%3Cb%3E']
  for (const view of ['requests', 'scenarios/odd', 'mail', 'state/invitations', 'state/signatures', ...odd]) {
    await open(visit, view)
    await page.getByRole('heading').first().waitFor()
    t.ok(await fits(page), `${view}: nothing sticks out`)
  }
  t.equal(await page.locator('main img, main script').count(), 0, 'there is still no markup')
  t.match(await page.title(), /countersign$/, 'no script ran')
})

const roomy = { settings: { journalSize: 2_000 } }

visit('a thousand exchanges are listed, and no more are kept', roomy, async (t, { server, page }) => {
  for (let at = 0; at < 990; at++) {
    await send(server, listCreditHistories)
    // The browser has connections open, which else are not read before the server gives them up.
    if (at % 10 === 0) await turn()
  }
  await page.reload()
  const rows = page.locator('.exchanges > li')
  await count(rows, 990)
  for (let at = 0; at < 60; at++) await send(server, listCreditHistories)
  await page.locator('a[href="#/requests/x1050"]').waitFor()
  await count(rows, 1_000)
  await rows.last().scrollIntoViewIfNeeded()
  await page.locator('a[href="#/requests/x51"]').waitFor()
  t.equal(await page.locator('a[href="#/requests/x50"]').count(), 0, 'the oldest made room')
})
