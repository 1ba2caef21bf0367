import t from 'tap'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, fileOf, send } from '../helper.js'
import { count, fits, focused, sees, show, sizes } from './page.js'

const MARKUP = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
const RIGHT_TO_LEFT = 'שלום \u202eevil\u202c عالم'
const LONG = 'x'.repeat(20_000)

t.test('whatever is sent is shown as text', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  for (const look of sizes) {
    t.test(look.name, async (t) => {
      const server = await build(t)
      const url = await server.listen()
      const { page, problems } = await show(t, browser, `${url}/__admin/`, look)
      const open = async (id: string) => {
        await page.goto(`${url}/__admin/#/requests/${id}`)
        await focused(page, 'h2')
        await page.getByRole('heading', { name: 'Answer' }).waitFor()
        t.ok(await fits(page), `${id}: nothing sticks out`)
      }
      await send(server, addOrganizationMember, {
        form: { 'data[0][first_name]': MARKUP, 'data[0][last_name]': RIGHT_TO_LEFT, [`${MARKUP}${LONG}`]: LONG },
        query: { user_type: 'ENTERPRISE_API', [LONG]: MARKUP },
      })
      await open('x1')
      t.equal(await page.locator('main img, main script').count(), 0, 'markup is no markup')
      await sees(page, MARKUP)
      await sees(page, '\\u202eevil')
      await send(server, uploadSignature, {
        form: {
          file: fileOf(
            Uint8Array.from({ length: 2_000 }, (_, at) => at % 256),
            `${MARKUP}${RIGHT_TO_LEFT}.png`,
          ),
        },
      })
      await open('x2')
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
      await open('x3')
      await sees(page, MARKUP)
      await send(server, listCreditHistories)
      await open('x4')
      await sees(page, RIGHT_TO_LEFT.split(' ')[0] as string)
      for (const view of [
        'requests',
        'scenarios/odd',
        'mail',
        'state/invitations',
        'state/signatures',
        'requests/%E0%A4%A',
        'scenarios/%3Cb%3E',
      ]) {
        await page.goto(`${url}/__admin/#/${view}`)
        await page.getByRole('heading').first().waitFor()
        t.ok(await fits(page), `${view}: nothing sticks out`)
      }
      t.equal(await page.locator('main img, main script').count(), 0, 'there is still no markup')
      t.match(await page.title(), /countersign$/, 'no script ran')
      t.strictSame(
        problems.filter((one) => !one.includes('404')),
        [],
        'the browser has nothing to complain about',
      )
    })
  }

  t.test('a thousand exchanges are listed, and no more are kept', async (t) => {
    const server = await build(t, { journalSize: 2_000 })
    const url = await server.listen()
    for (let at = 0; at < 990; at++) await send(server, listCreditHistories)
    const { page, problems } = await show(t, browser, `${url}/__admin/`)
    const rows = page.locator('.exchanges > li')
    await count(rows, 990)
    for (let at = 0; at < 60; at++) await send(server, listCreditHistories)
    await page.locator('a[href="#/requests/x1050"]').waitFor()
    await count(rows, 1_000)
    await rows.last().scrollIntoViewIfNeeded()
    await page.locator('a[href="#/requests/x51"]').waitFor()
    t.equal(await page.locator('a[href="#/requests/x50"]').count(), 0, 'the oldest made room')
    t.strictSame(problems, [], 'the browser has nothing to complain about')
  })
})
