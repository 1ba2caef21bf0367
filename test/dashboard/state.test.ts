import t from 'tap'
import type { Fixtures } from '../../schemas/fixtures.js'
import { until } from '../binary.js'
import { launchBrowser, noBrowser } from '../browser.js'
import { build } from '../helper.js'
import { fits, focused, sees, show, sizes } from './page.js'

t.test('someone sizes a record up and edits it', { skip: noBrowser }, async (t) => {
  const browser = await launchBrowser(t)
  for (const look of sizes) {
    t.test(look.name, async (t) => {
      const server = await build(t)
      const url = await server.listen()
      const { page, problems } = await show(t, browser, `${url}/__admin/#/state`, look)
      await page.getByRole('link', { name: 'organizations 3', exact: true }).click()
      await sees(page, '3 records')
      await page.getByRole('searchbox').fill('harbour')
      await sees(page, '1 of 3 records')
      await page.getByRole('link', { name: 'Edit 1', exact: true }).click()
      await focused(page, 'h2')
      t.match(page.url(), /#\/state\/organizations\/1$/, 'the record has an address of its own')
      const record = page.getByLabel('Record (JSON)')
      const before = await record.inputValue()
      await record.fill(before.replace(/"name": "[^"]*"/, '"name": 7'))
      await page.getByRole('button', { name: 'Save' }).click()
      await sees(page, /name.*7/s)
      await page.getByRole('alert').waitFor()
      t.ok(await fits(page), 'nothing sticks out')
      await record.fill(before.replace(/"name": "[^"]*"/, '"name": "Harbour & Sons <b>"'))
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved').waitFor()
      t.equal(server.worlds.root.state.collection('organizations').get('1')?.name, 'Harbour & Sons <b>', 'it is stored')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/state\/organizations$/)
      await sees(page, 'Harbour & Sons <b>')

      await page.getByRole('link', { name: 'Add a record' }).click()
      const copy = JSON.parse(await record.inputValue())
      const uuid = '00000000-0000-4000-8000-000000000001'
      await record.fill(JSON.stringify({ ...copy, id: 99, uuid, name: 'New' }))
      await page.getByRole('button', { name: 'Save' }).click()
      await page.waitForURL(/#\/state\/organizations\/99$/)
      await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
      t.strictSame(
        problems.filter((one) => !/status of 400/.test(one)),
        [],
        'the browser complains about the refusal only',
      )
    })
  }

  t.test('among 5,000 records every one is found, and few are drawn', async (t) => {
    const fixtures = many(5_000)
    const server = await build(t, {}, { fixtures })
    const url = await server.listen()
    const { page } = await show(t, browser, `${url}/__admin/#/state/credit_histories`)
    await sees(page, '5,000 records')
    const rows = page.locator('.records tbody tr')
    t.ok((await rows.count()) <= 300, 'no more rows than somebody sizes at')
    await page.getByRole('searchbox').fill('note 4999')
    await sees(page, '1 of 5,000 records')
    await page.getByRole('searchbox').fill('')
    const drawn = await rows.count()
    await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
    await rows.nth(drawn).waitFor()
    t.pass('more are drawn where the end is seen')
    await until(async () => {
      await page.mouse.wheel(0, 5_000)
      return page.getByRole('button', { name: 'Next', exact: true }).isVisible()
    })
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await sees(page, '301 to 600 of 5,000')
    await page.getByRole('cell', { name: /note 301/ }).waitFor()
    t.equal(await rows.count(), 300, 'never more than some hundred')
    await page.getByRole('button', { name: 'Previous', exact: true }).click()
    await sees(page, '1 to 300 of 5,000')
    await page.goto(`${url}/__admin/#/state/credit_histories/${fixtures.credit_histories?.[4_998]?.id}`)
    await page.getByLabel('Record (JSON)').waitFor()
    t.match(await page.getByLabel('Record (JSON)').inputValue(), /note 4998/, 'a link leads to any of them')
  })

  t.test('what somebody is writing is not lost when the record changes elsewhere', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    const { page } = await show(t, browser, `${url}/__admin/#/state/organizations/2`)
    const record = page.getByLabel('Record (JSON)')
    await record.fill('{ "mine": true }')
    const organizations = server.worlds.root.state.collection('organizations')
    const rename = (id: string, name: string) => organizations.put({ ...organizations.get(id)!, name })
    rename('2', 'Renamed elsewhere')
    await page.getByRole('cell', { name: 'Renamed elsewhere' }).waitFor()
    t.equal(await record.inputValue(), '{ "mine": true }', 'it stays')
    await page.goto(`${url}/__admin/#/state/organizations/1`)
    await page.getByRole('heading', { name: '1', exact: true }).waitFor()
    rename('1', 'Also renamed')
    await page.getByRole('cell', { name: 'Also renamed' }).waitFor()
    t.match(await record.inputValue(), /Also renamed/, 'what nobody is editing is up to date')
  })
})

/** A world of one organization with so many credits. */
function many(length: number): Fixtures {
  const organization_uuid = '0b2f6c1e-3d4a-4b5c-9d6e-7f8091a2b3c4'
  const user = { uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31', token: 'token-admin', email: 'a@example.test' }
  return {
    version: 1,
    organizations: [{ id: 1, uuid: organization_uuid, name: 'Only' }],
    users: [
      { ...user, first_name: 'A', last_name: 'B', user_type: 'ENTERPRISE_API', organization_id: 1, permissions: [] },
    ],
    credit_histories: Array.from({ length }, (_, at) => ({
      id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      organization_uuid,
      type: 'purchase',
      amount: at,
      currency: 'EUR',
      created_at: '2025-01-01T00:00:00.000Z',
      user_type: 'ENTERPRISE_API',
      details: { source: 'test', note: `note ${at}` },
    })),
  }
}
