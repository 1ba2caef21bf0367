import { readFileSync } from 'node:fs'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { copy, filled, flow, focused, switched } from './page.js'

const FIRST_TRY = `version: 1
description: The first two invitations fail.
rules:
  - on: addOrganizationMember
    times: 2
    answer: { status: 418 }
`

flow(
  'write a scenario, correct it, play it and delete it',
  { atBothWidths: true, at: '#/scenarios' },
  async (t, { page, send, admin }) => {
    await page.getByRole('link', { name: 'New scenario' }).click()
    await focused(page.getByRole('heading', { name: 'Write a scenario' }))
    await page.getByLabel('Name').fill(' second-fails ')
    const text = page.getByLabel('Scenario (YAML)')
    await text.fill(FIRST_TRY)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('addOrganizationMember does not declare 418').waitFor()
    t.equal((await admin.call('GET', 'scenarios/second-fails')).statusCode, 404, 'nothing is stored')
    await page.getByRole('button', { name: 'Line 6, column 23:' }).click()
    t.equal(await page.evaluate('getSelection().toString()'), '    answer: { status: 418 }', 'its line is selected')

    await text.fill(FIRST_TRY.replace('418', '500'))
    await page.getByRole('button', { name: 'Save and switch on' }).click()
    await page.waitForURL(/#\/scenarios\/second-fails$/)
    const panel = page.getByRole('region', { name: 'second-fails' })
    await panel.getByText('The first two invitations fail.').waitFor()
    await panel.getByText('First 2 calls of addOrganizationMember: the answer is 500.').waitFor()
    await switched(page, 'second-fails', true)
    t.equal((await send(addOrganizationMember)).status, 500)
    await panel.getByText('1 of 2 left').waitFor()
    t.equal((await send(addOrganizationMember)).status, 500)
    await panel.getByText('spent').waitFor()
    t.equal((await send(addOrganizationMember)).status, 200, 'the third call')
    await panel.getByRole('button', { name: 'Restart' }).click()
    await panel.getByText('2 of 2 left').waitFor()

    await panel.getByRole('link', { name: 'Edit', exact: true }).click()
    await focused(page.getByRole('heading', { name: 'Edit second-fails' }))
    await text.fill(FIRST_TRY.replace('418', '401'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('the answer is 401.').waitFor()
    await panel.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the scenario second-fails?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/#\/scenarios$/)
    await page.getByRole('switch', { name: 'second-fails' }).waitFor({ state: 'detached' })
    t.equal((await send(addOrganizationMember)).status, 200, 'the scenario is gone')
  },
)

flow('write a scenario from templates', { at: '#/scenarios//' }, async (t, { page, admin }) => {
  const template = page.getByRole('combobox', { name: 'Add a rule' })
  const text = page.getByLabel('Scenario (YAML)')
  for (const name of ['delay', 'fault', 'gateway:503', 'uploadSignature:401']) await template.selectOption(name)
  t.equal(await template.inputValue(), '', 'another template can be chosen')
  t.equal(
    await text.inputValue(),
    `version: 1
description: ""
rules:
  - on: '*'
    answer: { delay: 3000 }
  - on: '*'
    times: 1
    answer: { fault: CONNECTION_RESET_BY_PEER }
  - on: '*'
    times: 1
    answer: { status: 503 }
  - on: uploadSignature
    times: 1
    answer: { status: 401 }
`,
  )
  await page.getByLabel('Name').fill('templates')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/#\/scenarios\/templates$/)
  await page.getByText('Calls of any operation: answered as usual, after 3 s.').waitFor()
  await switched(page.getByRole('main'), 'templates', false)
  t.strictSame(await admin.active(), [], 'Save alone switches nothing on')
})

flow('keep the draft of a scenario until it is saved or discarded', { at: '#/scenarios//' }, async (t, { page }) => {
  const text = page.getByLabel('Scenario (YAML)')
  await text.fill('version: 1\nrules: 5\n')
  await page.reload()
  await page.getByText('Unsaved draft.').waitFor()
  t.equal(await text.inputValue(), 'version: 1\nrules: 5\n', 'after a reload')
  await page.getByRole('link', { name: 'Outcomes' }).click()
  await page.goBack()
  await page.getByText('Unsaved draft.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Unsaved draft.').waitFor({ state: 'detached' })
  t.equal(await text.inputValue(), 'version: 1\ndescription: ""\nrules:\n')
  t.equal(await page.evaluate('sessionStorage.length'), 0, 'nothing is kept')
})

flow('save what came as a scenario and as a file', { at: '#/requests/x1' }, async (t, { page, open, send, admin }) => {
  await send(listCreditHistories, { query: { sort: 'x' } })
  await open('#/requests/x1')
  const copied = await copy(page, 'scenario')
  await open('#/scenarios//')
  await page.getByLabel('Name').fill('pasted')
  await page.getByLabel('Scenario (YAML)').fill(copied)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/#\/scenarios\/pasted$/)
  t.equal((await admin.call('GET', 'scenarios/pasted?format=yaml')).body, copied)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as a file' }).click()
  const file = await download
  t.equal(file.suggestedFilename(), 'pasted.yaml')
  t.equal(readFileSync(await file.path(), 'utf8'), copied)
})

flow('play a scenario that ships, and copy it', { at: '#/scenarios' }, async (t, { page, send, admin }) => {
  await page.getByRole('searchbox').fill('CONFLICTS')
  const row = page.getByRole('listitem')
  await row.getByText('shipped').waitFor()
  await page.getByRole('switch', { name: 'invitation-conflicts' }).click()
  await page.getByRole('link', { name: /^invitation-conflicts/ }).click()
  const panel = page.getByRole('region', { name: 'invitation-conflicts' })
  await panel.getByText("body data[0][email] ends with '@taken.example': the answer is 409.").waitFor()
  t.equal((await send(addOrganizationMember)).status, 500)
  await panel.getByText('spent').waitFor()
  await panel.getByText('all calls, 0 so far').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Delete' }).count(), 0, 'it cannot be deleted')
  await panel.getByRole('link', { name: 'Close' }).click()
  await row.getByText('answered 1 ×').waitFor()

  await page.getByRole('button', { name: 'Restart all' }).click()
  const restart = page.getByRole('dialog', { name: 'Restart every scenario from its first rule?' })
  await restart.getByRole('button', { name: 'Restart all' }).click()
  await row.getByText('answered 0 ×').waitFor()
  await page.getByRole('button', { name: 'Switch all off' }).click()
  const off = page.getByRole('dialog', { name: 'Switch all scenarios and outcomes off?' })
  await off.getByRole('button', { name: 'Cancel' }).click()
  await switched(page, 'invitation-conflicts', true)
  await page.getByRole('button', { name: 'Switch all off' }).click()
  await off.getByRole('button', { name: 'Switch all off' }).click()
  await switched(page, 'invitation-conflicts', false)
  t.strictSame(await admin.active(), [])

  await page.getByRole('link', { name: /^invitation-conflicts/ }).click()
  await panel.getByRole('link', { name: 'Edit a copy' }).click()
  await filled(t, page.getByLabel('Name'), 'my-invitation-conflicts')
  await page.getByRole('button', { name: 'Save and switch on' }).click()
  await page.waitForURL(/#\/scenarios\/my-invitation-conflicts\?search=CONFLICTS$/)
  await switched(page, 'my-invitation-conflicts', true)
})

flow('try a scenario in each of its states', { at: '#/scenarios/steps' }, async (_, { page, admin }) => {
  await page.getByText('The scenario steps does not exist.').waitFor()
  await admin.call('PUT', 'scenarios/steps', {
    rules: [
      { on: ['uploadSignature', 'verifyDocument'], when: { state: 'Done' }, answer: { status: 422 } },
      { on: 'uploadSignature', times: 2, then: 'Begun', answer: { status: 401 } },
    ],
  })
  const panel = page.getByRole('region', { name: 'steps' })
  const state = panel.getByRole('combobox', { name: 'State' })
  const tryIt = panel.getByRole('button', { name: 'Try it' })
  await tryIt.click()
  await panel.getByText('answered 401').waitFor()
  await panel.getByText('1 of 2 left').waitFor()
  await state.locator('option:checked', { hasText: 'Begun' }).waitFor({ state: 'attached' })
  await panel.getByRole('combobox', { name: 'Operation to call' }).selectOption('verifyDocument')
  await state.selectOption('Done')
  await tryIt.click()
  await panel.getByText('answered 422').waitFor()
  await panel.getByText('all calls, 1 so far').waitFor()
  await panel.getByRole('link', { name: 'x2' }).click()
  await page.getByText('Rule 1 of the scenario steps answered.').last().waitFor()
  await page.goBack()
  await panel.getByRole('link', { name: 'Close' }).click()
  await page.getByRole('link', { name: /^steps.*Done.*answered 2 ×/ }).waitFor()
})
