import { readFileSync } from 'node:fs'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { send } from '../helper.js'
import { fits, flip, focused, goTo, open, phone, press, pressAndConfirm, sees, switched, visit } from './page.js'

const onPhone = { at: '#/scenarios', look: phone, expected: /status of 40[01]/ }

visit('someone writes a scenario, is refused, mends it, tries it and keeps it', onPhone, async (t, visit) => {
  const { server, page } = visit
  await page.getByRole('link', { name: 'Write one' }).click()
  await focused(page, 'h2')
  await page.getByLabel('Name').fill('second-fails')
  await page.getByLabel('Description').fill('The first two invitations fail.')
  const first = page.getByRole('group', { name: 'Rule 1' })
  await first.getByLabel('addOrganizationMember').check()
  await first.getByLabel('Status').fill('418')
  await first.getByLabel('Times').fill('2')
  await press(page, 'Add a rule')
  const second = page.getByRole('group', { name: 'Rule 2' })
  await second.getByLabel('listCreditHistories').check()
  await second.getByLabel('Body (JSON)').fill('{"oops"')
  await press(page, 'Save')
  await second.getByText('This is not JSON').waitFor()
  await first.getByText('does not declare 418').waitFor()
  t.equal(server.worlds.root.library.find('second-fails'), undefined, 'nothing is stored')
  const options = await first.locator('datalist option').all()
  const offered = await Promise.all(options.map((one) => one.getAttribute('value')))
  t.strictSame(offered, ['200', '400', '401', '409', '500'], 'the statuses of the operation are offered')
  await page.reload()
  t.equal(await first.getByLabel('Status').inputValue(), '418', 'a draft outlives a reload')
  await goTo(page, 'Outcomes')
  await page.goBack()
  await sees(page, 'A draft')

  await second.getByLabel('Body (JSON)').fill('')
  await second.getByLabel('Status').fill('401')
  await press(page, 'Save')
  const status = first.locator('.field', { has: page.getByLabel('Status') })
  await status.getByText('does not declare 418').waitFor()
  t.match(await status.textContent(), /rules\[0\]\.answer\.status\s*418/, 'with its path and its value')
  t.equal(await second.getByRole('alert').count(), 0, 'the second rule is fine')
  t.ok(await fits(page), 'nothing sticks out of the form')

  await first.getByLabel('Status').fill('500')
  await press(first, 'Add a condition')
  await first.getByLabel('Field of condition 1').fill('data[0][email]')
  await first.getByLabel('Test of condition 1').selectOption('endsWith')
  await first.getByLabel('Value of condition 1').fill('@example.test')
  await press(page, 'Save and switch on')
  await page.waitForURL(/#\/scenarios\/second-fails$/)
  await sees(page, 'The first two invitations fail.')
  await switched(page, 'second-fails', true)
  t.equal((await send(server, addOrganizationMember)).statusCode, 500, 'the first invitation fails')
  await sees(page, '1 time left')
  t.equal((await send(server, addOrganizationMember)).statusCode, 500, 'so does the second')
  await sees(page, 'spent')
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'the third does not')
  t.equal((await send(server, listCreditHistories)).statusCode, 401, 'the other rule holds')

  await press(page, 'Start again')
  await sees(page, '2 times left')
  await page.getByLabel('Operation to call').selectOption('listCreditHistories')
  await press(page, 'Try it')
  await page.getByRole('region', { name: 'Try it' }).getByText('401', { exact: true }).first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as a file' }).click()
  const file = await download
  t.equal(file.suggestedFilename(), 'second-fails.yaml', 'the file has the scenario’s name')
  t.match(readFileSync(await file.path(), 'utf8'), /endsWith: ['"]?@example\.test/, 'it is the scenario')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Value of condition 1').waitFor()
  t.equal(await page.getByLabel('Value of condition 1').inputValue(), '@example.test', 'what was written is there')
  await page.getByRole('group', { name: 'Rule 1' }).getByLabel('Times').fill('5')
  await press(page, 'Save')
  await pressAndConfirm(page, 'Delete')
  await page.waitForURL(/#\/scenarios$/)
  await page.getByRole('switch', { name: 'second-fails', exact: true }).waitFor({ state: 'detached' })
})

const list = { at: '#/scenarios' }

visit('a shipped scenario can be switched, rewound and copied, and not be deleted', list, async (t, visit) => {
  const { server, page } = visit
  await flip(page, 'invitation-conflicts', true)
  await page.getByRole('link', { name: /invitation-conflicts/ }).click()
  await sees(page, "ends with '@taken.example'")
  t.equal((await send(server, addOrganizationMember)).statusCode, 500, 'it plays')
  await sees(page, 'spent')
  await pressAndConfirm(page, 'Reset all')
  await sees(page, '1 time left')
  t.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0, 'it cannot be deleted')
  await page.getByRole('link', { name: 'Edit a copy' }).click()
  t.equal(await page.getByLabel('Name').inputValue(), 'my-invitation-conflicts', 'a copy has a name of its own')
  await press(page, 'Save')
  await page.waitForURL(/#\/scenarios\/my-invitation-conflicts$/)
  await switched(page, 'my-invitation-conflicts', false)
})

visit('the form holds all that a scenario can say', list, async (t, visit) => {
  const { server, page } = visit
  const all = {
    on: ['verifyDocument', 'listCreditHistories'],
    when: {
      query: { page: { equals: '2', contains: '2' } },
      path: { id: { absent: true } },
      headers: { 'user-agent': { matches: 'x+' } },
      body: { 'data[0][email]': { startsWith: 'a', endsWith: 'z' } },
      token: { equals: 'token-admin' },
      state: 'Started',
    },
    times: 3,
    chance: 0.5,
    answer: {
      status: 404,
      body: { error: ['any'] },
      headers: { 'retry-after': '3' },
      delay: { uniform: { lower: 1, upper: 2 } },
      effect: 'after',
    },
    then: 'Recovered',
    offContract: true,
  }
  const put = await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/all', payload: { rules: [all] } })
  t.equal(put.statusCode, 200, 'it is a scenario')
  await page.getByRole('switch', { name: 'all', exact: true }).waitFor()
  const rulesOf = async (name: string) => (await server.app.inject(`/__admin/scenarios/${name}`)).json().rules
  for (const name of ['all', 'empty-account', 'expired-token', 'flaky-network', 'rate-limited', 'saved-but-failed']) {
    const before = await rulesOf(name)
    await open(visit, `scenarios//${name}`)
    await press(page, 'Save')
    const saved = name === 'all' ? name : `my-${name}`
    await page.waitForURL(new RegExp(`#/scenarios/${saved}$`))
    t.strictSame(await rulesOf(saved), before, `${name} is the same after it was in the form`)
  }
})
