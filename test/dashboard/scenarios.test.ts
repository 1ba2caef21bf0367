import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { expectText, expectValue, flow, replaceText, waitForFocus, waitForSwitch } from './page.js'

const scenarios = mkdtempSync(join(tmpdir(), 'scenarios-'))
t.teardown(() => rmSync(scenarios, { recursive: true }))
const withFolder = { settings: { scenarios }, onlyAt: 1280 } as const

const SCENARIO = `version: 1
description: The first two invitations fail.
rules:
  - on: addOrganizationMember
    times: 2
    answer: { status: 418 }
`

flow(
  'write, run and delete a scenario',
  { atBothWidths: true, at: '#/scenarios' },
  async (t, { page, send, admin }) => {
    await page.getByRole('link', { name: 'New scenario' }).click()
    await waitForFocus(page.getByRole('heading', { name: 'Write a scenario' }))
    await page.getByLabel('Name').fill(' second-fails ')
    const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
    await replaceText(text, SCENARIO)
    await page.getByRole('button', { name: 'Keep until reset' }).click()
    await page.getByRole('alert').getByText('addOrganizationMember does not declare 418').waitFor()
    t.equal((await admin.call('GET', 'scenarios/second-fails')).statusCode, 404, 'nothing is stored')
    await page.getByRole('button', { name: 'Line 6, column 23:' }).click()
    await page.locator('.cm-lintRange-error').getByText('418').waitFor()

    await replaceText(text, SCENARIO.replace('418', '500'))
    await page.getByRole('button', { name: 'Keep until reset' }).click()
    await page.waitForURL(/#\/scenarios\/second-fails$/)
    const panel = page.getByRole('region', { name: 'second-fails' })
    await panel.getByText('kept until the next reset').waitFor()
    await page.getByRole('switch', { name: 'second-fails' }).filter({ visible: true }).click()
    await panel.getByText('The first two invitations fail.').waitFor()
    await panel.getByText('First 2 calls of addOrganizationMember: the answer is 500.').waitFor()
    await waitForSwitch(page, 'second-fails', true)
    await send(addOrganizationMember)
    await panel.getByText('1 of 2 left').waitFor()
    await send(addOrganizationMember)
    await panel.getByText('spent').waitFor()
    await panel.getByRole('button', { name: 'Restart' }).click()
    await panel.getByText('2 of 2 left').waitFor()

    await panel.getByRole('link', { name: 'Edit', exact: true }).click()
    await waitForFocus(page.getByRole('heading', { name: 'Edit second-fails' }))
    await replaceText(text, SCENARIO.replace('418', '401'))
    await page.getByRole('button', { name: 'Keep until reset' }).click()
    await panel.getByText('the answer is 401.').waitFor()
    await panel.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the scenario second-fails?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/#\/scenarios$/)
    await page.getByRole('switch', { name: 'second-fails' }).waitFor({ state: 'detached' })
  },
)

flow('write a scenario from templates', { at: '#/scenarios//' }, async (t, { page, admin }) => {
  const template = page.getByRole('combobox', { name: 'Add a rule' })
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  for (const name of ['delay', 'fault', 'gateway:503', 'uploadSignature:401']) await template.selectOption(name)
  t.equal(await template.inputValue(), '', 'another template can be chosen')
  await expectText(
    t,
    text,
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
  await page.getByRole('button', { name: 'Keep until reset' }).click()
  await page.waitForURL(/#\/scenarios\/templates$/)
  await page.getByText('Calls of any operation: answered as usual, after 3 s.').waitFor()
  await waitForSwitch(page.getByRole('main'), 'templates', false)
  t.strictSame(await admin.active(), [], 'saving does not activate the scenario')
})

flow('keep the draft of a scenario until it is saved or discarded', { at: '#/scenarios//' }, async (t, flow) => {
  const { page, open, admin } = flow
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  await replaceText(text, 'version: 1\nrules: 5\n')
  await page.reload()
  await page.getByText('Unsaved draft.').waitFor()
  await expectText(t, text, 'version: 1\nrules: 5\n')
  await page.getByRole('link', { name: 'Outcomes' }).click()
  await page.goBack()
  await page.getByText('Unsaved draft.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Unsaved draft.').waitFor({ state: 'detached' })
  await expectText(t, text, 'version: 1\ndescription: ""\nrules:\n')

  const rules = [{ on: 'verifyDocument', answer: { status: 404 } }]
  await admin.call('PUT', 'scenarios/mine', { rules })
  await open('#/scenarios//mine')
  await page.getByRole('heading', { name: 'Edit mine' }).waitFor()
  await text.getByText('404').waitFor()
  await Promise.all([page.waitForResponse(/scenarios\/mine/), replaceText(text, 'version: 1\nrules: []\n')])
  const { rules: kept } = (await admin.call('GET', 'scenarios/mine')).json()
  t.match(kept, [{ answer: { status: 404 } }], 'a draft is only checked')
  await admin.call('PUT', 'scenarios/mine', { rules, description: 'by somebody else' })
  await page.getByRole('alert').getByText('saving overwrites it').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await text.getByText('by somebody else').waitFor()
  t.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}', 'no draft is kept')

  await replaceText(text, 'version: 1\nrules: []\n')
  await page.getByText('Unsaved draft.').waitFor()
  await admin.call('POST', 'reset')
  await page.getByRole('alert').getByText('was changed or deleted').waitFor()
  await page.getByLabel('Add a rule').selectOption('verifyDocument:404')
  await expectText(t, text, 'version: 1\nrules:\n  - on: verifyDocument\n    times: 1\n    answer: { status: 404 }\n')
  await page.getByRole('button', { name: 'Keep until reset' }).click()
  await page.waitForURL(/#\/scenarios\/mine$/)
})

flow('complete names while typing', { at: '#/scenarios//', onlyAt: 1280 }, async (t, { page }) => {
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  await replaceText(text, 'rules:\n  - on: ')
  await page.keyboard.type('addOrg')
  await page.getByRole('option', { name: 'addOrganizationMember', exact: true }).waitFor()
  // The list ignores keys right after it opens.
  await page.waitForTimeout(200)
  await page.keyboard.press('Enter')
  await expectText(t, text, 'rules:\n  - on: addOrganizationMember')
})

flow('save requests as a scenario file', withFolder, async (t, { page, open, send }) => {
  await send(listCreditHistories, { query: { sort: 'x' } })
  await page.getByRole('link', { name: 'Save as scenario' }).click()
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  await text.getByText('status: 400').waitFor()
  await expectValue(t, page.getByLabel('Name'), 'recorded')
  await page.getByRole('button', { name: 'Write recorded.yaml' }).click()
  await page.waitForURL(/#\/scenarios\/recorded$/)
  const saved = readFileSync(join(scenarios, 'recorded.yaml'), 'utf8')
  t.match(saved, /^# Saved by countersign.*status: 400/s)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  t.equal((await download).suggestedFilename(), 'recorded.yaml')

  writeFileSync(join(scenarios, 'theirs.yaml'), 'rules: []\n')
  await open('#/scenarios//')
  await page.getByLabel('Name').fill('theirs')
  await page.getByRole('button', { name: /^Write .*\.yaml$/ }).click()
  await page.getByRole('alert').getByText("has the scenario's name").waitFor()
  t.equal(readFileSync(join(scenarios, 'theirs.yaml'), 'utf8'), 'rules: []\n', 'the file is unchanged')
})

const STEPS = '"№ 1"'

flow('try a scenario in each of its states', { at: `#/scenarios/${STEPS}` }, async (_, { page, admin }) => {
  await page.getByText('The scenario "№ 1" does not exist.').waitFor()
  await admin.call('PUT', `scenarios/${encodeURIComponent(STEPS)}`, {
    description: 'Backwards: \u202e',
    rules: [
      { on: ['uploadSignature', 'verifyDocument'], when: { state: 'Done' }, answer: { status: 422 } },
      { on: 'uploadSignature', times: 1, then: 'Begun', answer: { status: 401 } },
    ],
  })
  const panel = page.getByRole('region', { name: STEPS })
  const state = panel.getByRole('combobox', { name: 'State' })
  const tryIt = panel.getByRole('button', { name: 'Try it' })
  await tryIt.click()
  await panel.getByText('answered 401').waitFor()
  await panel.getByText('spent').waitFor()
  await state.locator('option:checked', { hasText: 'Begun' }).waitFor({ state: 'attached' })
  await panel.getByRole('combobox', { name: 'Operation to call' }).selectOption('verifyDocument')
  await state.selectOption('Done')
  await tryIt.click()
  await panel.getByText('answered 422').waitFor()
  await panel.getByText('all calls, 1 so far').waitFor()
  await panel.getByRole('link', { name: 'x2' }).click()
  await page.getByText('Rule 1 of the scenario "№ 1" answered.').last().waitFor()
  await page.goBack()
  await panel.getByRole('link', { name: 'Close' }).click()
  await page.getByRole('link', { name: /^"№ 1".*Done.*answered 2 × Backwards: \\u202e/ }).waitFor()
})

const watched = mkdtempSync(join(tmpdir(), 'scenarios-'))
t.teardown(() => rmSync(watched, { recursive: true }))

const watching = { settings: { scenarios: watched, watch: true }, onlyAt: 390 } as const

flow('edit a scenario file in place', { ...watching, at: '#/scenarios//' }, async (t, { page, open, admin }) => {
  const name = page.getByLabel('Name')
  await page.getByRole('button', { name: 'Write NAME.yaml' }).click()
  await waitForFocus(name)
  await name.fill('n'.repeat(54))
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page fits the window')
  await open('#/scenarios/theirs')
  const file = join(watched, 'theirs.yml')
  const rules = 'rules:\n  - on: verifyDocument\n    answer: { status: 404 }\n'
  writeFileSync(file, `# Why.\n${rules}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  await text.getByText('# Why.').waitFor()
  await replaceText(text, rules.replace('404', '418'))
  await page.getByRole('alert').getByText('verifyDocument does not declare 418').waitFor()
  writeFileSync(file, `# By somebody else.\n${rules}`)
  await page.getByText('# By somebody else.').waitFor()
  await replaceText(text, `# Mine.\n${rules}`)
  await page.getByRole('button', { name: 'Save file' }).click()
  await page.getByRole('alert').getByText('was changed or deleted in the meantime').waitFor()
  await page.getByRole('button', { name: 'Save over it' }).click()
  await page.waitForURL(/#\/scenarios\/theirs$/)
  t.equal(readFileSync(file, 'utf8'), `# Mine.\n${rules}`)

  await page.getByRole('region', { name: 'theirs' }).getByText('file', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await text.getByText('# Mine.').waitFor()
  await Promise.all([page.waitForResponse(/\/scenarios$/), admin.call('PUT', 'scenarios/theirs', { rules: [] })])
  await replaceText(text, `# Mine again.\n${rules}`)
  rmSync(file)
  await page.getByRole('alert').getByText('The stored version was changed or deleted.').waitFor()
  await page.getByRole('button', { name: 'Write theirs.yaml' }).click()
  await page.waitForURL(/#\/scenarios\/theirs$/)
  t.match(readFileSync(join(watched, 'theirs.yaml'), 'utf8'), '# Mine again.')
  rmSync(join(watched, 'theirs.yaml'))
})

flow('see that a file is invalid, and correct it', { ...watching, onlyAt: 1280 }, async (t, { page, admin }) => {
  await admin.call('PUT', 'scenarios/mine', { rules: [], description: 'Hides the file.' })
  writeFileSync(join(watched, 'mine.yaml'), 'rules:\n  - on: nope\n')
  const banner = page.getByRole('alert').filter({ hasText: 'its last good version serves' })
  await banner.getByText(/mine\.yaml:2:9$/).waitFor()
  await page.getByRole('link', { name: 'State', exact: true }).click()
  await banner.waitFor()
  t.ok(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), 'the page does not scroll')
  await page.getByRole('link', { name: 'Docs', exact: true }).click()
  await banner.getByRole('link', { name: 'Edit mine' }).click()
  const text = page.getByRole('textbox', { name: 'Scenario (YAML)' })
  await text.getByText('nope').waitFor()
  await page.getByRole('button', { name: 'Line 2, column 9:' }).waitFor()
  await replaceText(text, 'rules: []\n')
  await page.getByRole('button', { name: 'Save file' }).click()
  await banner.waitFor({ state: 'detached' })
  t.equal(readFileSync(join(watched, 'mine.yaml'), 'utf8'), 'rules: []\n')
})
