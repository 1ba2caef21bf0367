import { readFileSync } from 'node:fs'
import { until } from '../binary.js'
import { adminOf, organization } from '../helper.js'
import { count, fits, focused, open, phone, press, sees, visit } from './page.js'

const onPhone = { at: '#/state', look: phone, expected: /status of 400/ }

visit('someone sizes a record up and edits it', onPhone, async (t, { server, page }) => {
  await page.getByRole('link', { name: 'organizations 3', exact: true }).click()
  await sees(page, '3 records')
  await page.getByRole('searchbox').fill('harbour')
  await sees(page, '1 of 3 records')
  await page.getByRole('link', { name: 'Edit 1', exact: true }).click()
  await focused(page, 'h2')
  t.match(page.url(), /#\/state\/organizations\/1(\?|$)/, 'the record has an address of its own')
  const record = page.getByLabel('Record (JSON)')
  const before = await record.inputValue()
  const edit = async (from: string | RegExp, to: string) => record.fill((await record.inputValue()).replace(from, to))
  await record.fill(before.replace(/"name": "[^"]*"/, '"name": ""'))
  await press(page, 'Save')
  await sees(page, /Line 4, column \d+:/)
  t.ok(await fits(page), 'nothing sticks out')
  await record.fill(before.replace(/"name": "[^"]*"/, '"name": oops'))
  await press(page, 'Save')
  await sees(page, /Line 4, column 11: Not valid JSON or YAML from here/)
  await record.fill(before.replace(/"name": "[^"]*"/, '"name": "Harbour & Sons <b>"'))
  await page.route(/state\?collection/, (route) => void setTimeout(() => route.continue(), 1_000))
  await press(page, 'Save')
  await page.getByText('Saved', { exact: true }).waitFor()
  t.match(await record.inputValue(), 'Harbour & Sons <b>', 'what was saved stays in view until it is read again')
  await page.unrouteAll({ behavior: 'wait' })
  const [stored] = (await adminOf(server).state()).organizations
  t.equal(stored?.name, 'Harbour & Sons <b>', 'it is stored')
  await page.getByLabel('name', { exact: true }).fill('Harbour & Sons <b>!')
  t.match(await record.inputValue(), '"name": "Harbour & Sons <b>!"', 'a field changes the record')
  await press(page, 'Discard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/state\/organizations\?search=harbour$/)
  await sees(page, 'Harbour & Sons <b>')

  await page.getByRole('link', { name: 'Add a record' }).click()
  t.match(JSON.parse(await record.inputValue()), { id: 4, name: 'Harbour & Sons <b>' }, 'its key is free')
  await press(page, 'Save')
  await page.waitForURL(/#\/state\/organizations\/4\?search=harbour$/)
  await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
  await edit('"id": 4', '"id": 100')
  await sees(page, /creates a new record 100/)
  await page.reload()
  t.match(await record.inputValue(), '"id": 100', 'a draft outlives a reload')
  await press(page, 'Discard')
  t.match(await record.inputValue(), '"id": 4')
  t.equal(await page.evaluate('sessionStorage.length'), 0, 'a draft that is discarded is gone')
  await press(page, 'Delete')
  await page.getByRole('link', { name: 'organizations 3', exact: true }).waitFor()

  const ownerOf = async (code: string) =>
    (await adminOf(server).state()).documents.find((one) => one.code === code)?.user_uuid
  const owner = await ownerOf('DOC-2025-0005')
  await page.goto(page.url().replace(/#.*/, '#/state/documents/DOC-2025-0004'))
  await edit('DOC-2025-0004', 'DOC-2025-0005')
  await sees(page, /a record DOC-2025-0005 already: saving replaces it/)
  await press(page, 'Save')
  await until(async () => (await ownerOf('DOC-2025-0005')) === (await ownerOf('DOC-2025-0004')))
  for (const done of [/DOC-2025-0005 replaced/, /4 deleted/])
    await press(page.locator('.undo-bar p').filter({ hasText: done }), 'Undo')
  await until(async () => (await ownerOf('DOC-2025-0005')) === owner)
  await page.getByRole('link', { name: 'organizations 4', exact: true }).waitFor()
})

const opened = { at: '#/state/organizations/2' }

visit('a draft is not lost when the record changes elsewhere', opened, async (t, visit) => {
  const { server, page } = visit
  const record = page.getByLabel('Record (JSON)')
  await record.fill('{ "mine": true }')
  const rename = async (id: number, name: string) => {
    const organization = (await adminOf(server).state()).organizations.find((one) => one.id === id)
    await adminOf(server).call('PATCH', 'state', { organizations: [{ ...organization, name }] })
  }
  await rename(2, 'Renamed elsewhere')
  await page.getByRole('cell', { name: 'Renamed elsewhere' }).waitFor()
  t.equal(await record.inputValue(), '{ "mine": true }', 'it stays')
  await page.getByRole('alert').getByText('The stored version was changed or deleted').waitFor()
  await page.getByRole('button', { name: 'Overwrite' }).waitFor()
  await press(page, 'Discard')
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  t.match(await record.inputValue(), /Renamed elsewhere/, 'what is stored comes back for the draft')
  await open(visit, 'state/organizations/1')
  await page.getByRole('heading', { name: '1', exact: true }).waitFor()
  await rename(1, 'Also renamed')
  await page.getByRole('cell', { name: 'Also renamed' }).waitFor()
  t.match(await record.inputValue(), /Also renamed/, 'without a draft, the editor is up to date')
})

visit('what is deleted comes back to its place', opened, async (t, { server, page }) => {
  const ids = async () => (await adminOf(server).state()).credit_histories.map(({ id }) => id)
  const [first, second] = await ids()
  await page.goto(page.url().replace(/#.*/, `#/state/credit_histories/${second}`))
  await press(page, 'Delete')
  await until(async () => !(await ids()).includes(String(second)))
  await press(page, 'Undo')
  await until(async () => (await ids()).includes(String(second)))
  t.strictSame((await ids()).slice(0, 2), [first, second])
})

const members = { at: '#/state/organization_members', expected: /status of 4/ }

visit(
  'a role is changed and put back, a record that others need stays, and a whole state is exchanged',
  members,
  async (t, { server, page }) => {
    await page.locator('.records tbody tr').first().getByText('@').click()
    const record = page.getByLabel('Record (JSON)')
    const before = await record.inputValue()
    const other = before.includes('Admin') ? 'Member' : 'Admin'
    await record.fill(before.replace(/"(Admin|Member)"/, `"${other}"`))
    await press(page, 'Save')
    await page.getByText('Saved', { exact: true }).waitFor()
    const [member] = (await adminOf(server).state()).organization_members
    t.equal(member?.role, other, 'it is stored')
    await press(page, 'Undo')
    await until(async () => (await adminOf(server).state()).organization_members[0]?.role !== other)
    await page.locator('.panel').getByRole('link', { name: 'organizations/' }).click()
    await page.getByRole('heading', { name: String(member?.organization_id), exact: true }).waitFor()
    await press(page, 'Delete')
    await sees(page, /refer to organizations/)

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    t.strictSame(JSON.parse(file), await adminOf(server).state(), 'all of it is in the file')
    const yaml = { name: 'mine.yaml', mimeType: 'application/yaml' }
    const upload = (text: string) => page.getByLabel('Upload').setInputFiles({ ...yaml, buffer: Buffer.from(text) })
    await upload('version: 1\norganizations:\n  - { id: 1, uuid: 7, name: One }\n')
    await press(page.getByRole('dialog', { name: 'Replace the whole state by mine.yaml?' }), 'Replace')
    await sees(page, 'Line 3, column 20')
    await upload('version: 1\norganizations: []\n')
    await press(page.getByRole('dialog'), 'Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.strictSame(JSON.parse(file), await adminOf(server).state(), 'it stays unless one says yes')
    await upload('version: 1\norganizations: []\n')
    await press(page.getByRole('dialog'), 'Replace')
    await until(async () => (await adminOf(server).state()).users?.length === 0)
    const organizations = Array.from({ length: 201 }, (_, at) => organization(at + 1))
    await adminOf(server).call('PUT', 'state', { version: 1, organizations })
    await page.getByRole('link', { name: 'organizations 201', exact: true }).click()
    await sees(page, 'The first 200 are shown; search for others.')
    await count(page.locator('.records tbody tr'), 200)
  },
)
