import { readFileSync } from 'node:fs'
import type { Fixtures } from '../../schemas/fixtures.js'
import { until } from '../binary.js'
import { fits, focused, open, phone, press, sees, visit } from './page.js'

const onPhone = { at: '#/state', look: phone, expected: /status of 400/ }

visit('someone sizes a record up and edits it', onPhone, async (t, { server, page }) => {
  await page.getByRole('link', { name: 'organizations 3', exact: true }).click()
  await sees(page, '3 records')
  await page.getByRole('searchbox').fill('harbour')
  await sees(page, '1 of 3 records')
  await page.getByRole('link', { name: 'Edit 1', exact: true }).click()
  await focused(page, 'h2')
  t.match(page.url(), /#\/state\/organizations\/1$/, 'the record has an address of its own')
  await page.getByLabel('name').fill('')
  await press(page, 'Save')
  const fieldOf = (label: string) => page.locator('.field', { has: page.getByLabel(label) })
  await fieldOf('name').getByRole('alert').waitFor()
  t.ok(await fits(page), 'nothing sticks out')
  await press(page, 'Edit as JSON')
  const record = page.getByLabel('Record (JSON)')
  const before = await record.inputValue()
  await record.fill(before.replace(/"name": ""/, '"name": oops'))
  await press(page, 'Save')
  await sees(page, /Line 4, column 11: .*neither JSON nor YAML/)
  await record.fill(before.replace(/"name": ""/, '"name": "Harbour & Sons <b>"'))
  await press(page, 'Edit as JSON')
  t.equal(await page.getByLabel('name').inputValue(), 'Harbour & Sons <b>', 'the field shows what the text says')
  await press(page, 'Save')
  await page.getByText('Saved').waitFor()
  t.equal(server.worlds.root.state.collection('organizations').get('1')?.name, 'Harbour & Sons <b>', 'it is stored')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/state\/organizations$/)
  await sees(page, 'Harbour & Sons <b>')

  await page.getByRole('link', { name: 'Add a record' }).click()
  const added = { id: '99', uuid: '00000000-0000-4000-8000-000000000001', name: 'New' }
  for (const [name, value] of Object.entries(added)) await page.getByLabel(name, { exact: true }).fill(value)
  await press(page, 'Save')
  await page.waitForURL(/#\/state\/organizations\/99$/)
  await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
  await page.getByLabel('id', { exact: true }).fill('100')
  await sees(page, /makes another record, 100/)
  await page.reload()
  t.equal(await page.getByLabel('id', { exact: true }).inputValue(), '100', 'a draft outlives a reload')
  await press(page, 'Discard')
  t.equal(await page.getByLabel('id', { exact: true }).inputValue(), '99')
  await press(page, 'Delete')
  await page.getByRole('link', { name: 'organizations 3', exact: true }).waitFor()

  const ownerOf = (code: string) => server.worlds.root.state.collection('documents').get(code)?.user_uuid
  const owner = ownerOf('DOC-2025-0005')
  await page.goto(page.url().replace(/#.*/, '#/state/documents/DOC-2025-0004'))
  await page.getByLabel('code', { exact: true }).fill('DOC-2025-0005')
  await sees(page, /a record DOC-2025-0005 already: saving replaces it/)
  await press(page, 'Save')
  await until(() => ownerOf('DOC-2025-0005') === ownerOf('DOC-2025-0004'))
  for (const done of [/DOC-2025-0005 replaced/, /99 deleted/])
    await press(page.locator('.undo-bar p').filter({ hasText: done }), 'Undo')
  await until(() => ownerOf('DOC-2025-0005') === owner)
  await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
})

const fixtures = many(5_000)
const long = { at: '#/state/credit_histories', parts: { fixtures } }

visit('among 5,000 records every one is found, and few are drawn', long, async (t, visit) => {
  const { page } = visit
  await sees(page, '5,000 records')
  const rows = page.locator('.records tbody tr')
  t.ok((await rows.count()) <= 300, 'no more rows than somebody sizes at')
  await page.getByRole('searchbox').fill('note 4999')
  await sees(page, '1 of 5,000 records')
  await page.getByRole('searchbox').fill('')
  const drawn = await rows.count()
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await rows.nth(drawn).waitFor()
  await until(async () => {
    await page.mouse.wheel(0, 5_000)
    return page.getByRole('button', { name: 'Next', exact: true }).isVisible()
  })
  await press(page, 'Next')
  await sees(page, '301 to 600 of 5,000')
  await page.getByRole('cell', { name: /note 301/ }).waitFor()
  t.equal(await rows.count(), 300, 'never more than some hundred')
  await press(page, 'Previous')
  await sees(page, '1 to 300 of 5,000')
  await open(visit, `state/credit_histories/${fixtures.credit_histories?.[4_998]?.id}`)
  await page.getByLabel('details.note').waitFor()
  t.equal(await page.getByLabel('details.note').inputValue(), 'note 4998', 'a link leads to any of them')
  await press(page, 'amount')
  await press(page, 'amount')
  await rows.first().getByText('note 4999').waitFor()
  await rows.first().getByText('note 4999').click()
  await page.waitForURL(/4999$/)
})

const opened = { at: '#/state/organizations/2' }

visit('what somebody is writing is not lost when the record changes elsewhere', opened, async (t, visit) => {
  const { server, page } = visit
  const record = page.getByLabel('Record (JSON)')
  await press(page, 'Edit as JSON')
  await record.fill('{ "mine": true }')
  const organizations = server.worlds.root.state.collection('organizations')
  const rename = (id: string, name: string) => organizations.put({ ...organizations.get(id)!, name })
  rename('2', 'Renamed elsewhere')
  await page.getByRole('cell', { name: 'Renamed elsewhere' }).waitFor()
  t.equal(await record.inputValue(), '{ "mine": true }', 'it stays')
  await page.getByRole('alert').getByText('changed or deleted meanwhile').waitFor()
  await page.getByRole('button', { name: 'Save over it' }).waitFor()
  await press(page, 'Discard')
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  t.match(await record.inputValue(), /Renamed elsewhere/, 'what is stored comes back for the draft')
  await open(visit, 'state/organizations/1')
  await page.getByRole('heading', { name: '1', exact: true }).waitFor()
  await press(page, 'Edit as JSON')
  rename('1', 'Also renamed')
  await page.getByRole('cell', { name: 'Also renamed' }).waitFor()
  t.match(await record.inputValue(), /Also renamed/, 'what nobody is editing is up to date')
})

const members = { at: '#/state/organization_members', expected: /status of 4/ }

visit(
  'a role is chosen, a record that others need stays, and a whole state is exchanged',
  members,
  async (t, { server, page }) => {
    await page.locator('.records tbody tr').first().getByText('@').click()
    t.strictSame(await page.getByLabel('role').locator('option').allTextContents(), ['Admin', 'Member'])
    const other = (await page.getByLabel('role').inputValue()) === 'Admin' ? 'Member' : 'Admin'
    await page.getByLabel('role').selectOption(other)
    await press(page, 'Save')
    await page.getByText('Saved').waitFor()
    const [member] = server.worlds.root.state.collection('organization_members').all()
    t.equal(member?.role, other, 'it is stored')
    await press(page, 'Undo')
    const role = () => server.worlds.root.state.collection('organization_members').get(String(member?.id))?.role
    await until(() => role() !== other)
    await page
      .locator('.field', { has: page.getByLabel('organization_id') })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: String(member?.organization_id), exact: true }).waitFor()
    await press(page, 'Delete')
    await sees(page, /refer to organizations/)

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    t.strictSame(JSON.parse(file), server.worlds.root.state.export(), 'all of it is in the file')
    const yaml = { name: 'mine.yaml', mimeType: 'application/yaml' }
    const upload = (text: string) => page.getByLabel('Upload').setInputFiles({ ...yaml, buffer: Buffer.from(text) })
    await upload('version: 1\norganizations:\n  - { id: 1, uuid: 7, name: One }\n')
    await press(page.getByRole('dialog', { name: 'Replace the whole state by mine.yaml?' }), 'Replace')
    await sees(page, 'Line 3, column 20')
    await upload('version: 1\norganizations: []\n')
    await press(page.getByRole('dialog'), 'Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.strictSame(JSON.parse(file), server.worlds.root.state.export(), 'it stays unless one says yes')
    await upload('version: 1\norganizations: []\n')
    await press(page.getByRole('dialog'), 'Replace')
    await until(() => server.worlds.root.state.export().users?.length === 0)
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
