import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Fixtures } from '../../schemas/fixtures.js'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build } from '../helper.js'
import { fits, focused, phone, sees, show } from './page.js'

t.test('someone sizes a record up and edits it', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  t.test('on a phone', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    const { page, problems } = await show(t, browser, `${url}/__admin/#/state`, phone)
    await page.getByRole('link', { name: 'organizations 3', exact: true }).click()
    await sees(page, '3 records')
    await page.getByRole('searchbox').fill('harbour')
    await sees(page, '1 of 3 records')
    await page.getByRole('link', { name: 'Edit 1', exact: true }).click()
    await focused(page, 'h2')
    t.match(page.url(), /#\/state\/organizations\/1$/, 'the record has an address of its own')
    await page.getByLabel('name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('.field', { has: page.getByLabel('name') })
      .getByRole('alert')
      .waitFor()
    t.ok(await fits(page), 'nothing sticks out')
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    const record = page.getByLabel('Record (JSON)')
    const before = await record.inputValue()
    await record.fill(before.replace(/"name": ""/, '"name": oops'))
    await page.getByRole('button', { name: 'Save' }).click()
    await sees(page, /Line 4, column 11: .*neither JSON nor YAML/)
    await record.fill(before.replace(/"name": ""/, '"name": "Harbour & Sons <b>"'))
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    t.equal(await page.getByLabel('name').inputValue(), 'Harbour & Sons <b>', 'the field shows what the text says')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    t.equal(server.worlds.root.state.collection('organizations').get('1')?.name, 'Harbour & Sons <b>', 'it is stored')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/state\/organizations$/)
    await sees(page, 'Harbour & Sons <b>')

    await page.getByRole('link', { name: 'Add a record' }).click()
    for (const [name, value] of Object.entries({
      id: '99',
      uuid: '00000000-0000-4000-8000-000000000001',
      name: 'New',
    }))
      await page.getByLabel(name, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/#\/state\/organizations\/99$/)
    await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
    await page.getByLabel('id', { exact: true }).fill('100')
    await sees(page, /makes another record, 100/)
    await page.reload()
    t.equal(await page.getByLabel('id', { exact: true }).inputValue(), '100', 'a draft outlives a reload')
    await page.getByRole('button', { name: 'Discard' }).click()
    t.equal(await page.getByLabel('id', { exact: true }).inputValue(), '99')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'organizations 3', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
    t.strictSame(
      problems.filter((one) => !/status of 400/.test(one)),
      [],
      'the browser complains about the refusal only',
    )
  })

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
    await page.getByLabel('details.note').waitFor()
    t.equal(await page.getByLabel('details.note').inputValue(), 'note 4998', 'a link leads to any of them')
    await page.getByRole('button', { name: 'amount', exact: true }).click()
    await page.getByRole('button', { name: 'amount', exact: true }).click()
    await rows.first().getByText('note 4999').waitFor()
    await rows.first().getByText('note 4999').click()
    await page.waitForURL(/4999$/)
  })

  t.test('what somebody is writing is not lost when the record changes elsewhere', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    const { page } = await show(t, browser, `${url}/__admin/#/state/organizations/2`)
    const record = page.getByLabel('Record (JSON)')
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    await record.fill('{ "mine": true }')
    const organizations = server.worlds.root.state.collection('organizations')
    const rename = (id: string, name: string) => organizations.put({ ...organizations.get(id)!, name })
    rename('2', 'Renamed elsewhere')
    await page.getByRole('cell', { name: 'Renamed elsewhere' }).waitFor()
    t.equal(await record.inputValue(), '{ "mine": true }', 'it stays')
    await page.getByRole('alert').getByText('changed or deleted meanwhile').waitFor()
    await page.getByRole('button', { name: 'Save over it' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    t.match(await record.inputValue(), /Renamed elsewhere/, 'what is stored comes back for the draft')
    await page.goto(`${url}/__admin/#/state/organizations/1`)
    await page.getByRole('heading', { name: '1', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    rename('1', 'Also renamed')
    await page.getByRole('cell', { name: 'Also renamed' }).waitFor()
    t.match(await record.inputValue(), /Also renamed/, 'what nobody is editing is up to date')
  })
})

t.test(
  'a role is chosen, a record that others need stays, and a whole state is exchanged',
  { skip: noBrowser },
  async (t) => {
    const browser = await aBrowser()
    const server = await build(t)
    const url = await server.listen()
    const { page, problems } = await show(t, browser, `${url}/__admin/#/state/organization_members`)
    await page.locator('.records tbody tr').first().getByText('@').click()
    t.strictSame(await page.getByLabel('role').locator('option').allTextContents(), ['Admin', 'Member'])
    const other = (await page.getByLabel('role').inputValue()) === 'Admin' ? 'Member' : 'Admin'
    await page.getByLabel('role').selectOption(other)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const [member] = server.worlds.root.state.collection('organization_members').all()
    t.equal(member?.role, other, 'it is stored')
    await page
      .locator('.field', { has: page.getByLabel('organization_id') })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: String(member?.organization_id), exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await sees(page, /refer to organizations/)

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    t.strictSame(JSON.parse(file), server.worlds.root.state.export(), 'all of it is in the file')
    const upload = (text: string) =>
      page
        .getByLabel('Upload')
        .setInputFiles({ name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) })
    await upload('version: 1\norganizations:\n  - { id: 1, uuid: 7, name: One }\n')
    await sees(page, 'Line 3, column 20')
    await upload('extends: default\norganizations: []\nusers: []\n')
    await page.getByText('State replaced by mine.yaml').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    t.strictSame(JSON.parse(file), server.worlds.root.state.export(), 'and back')
    t.strictSame(
      problems.filter((one) => !/status of 4/.test(one)),
      [],
      'the browser complains about the refusals only',
    )
  },
)

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
