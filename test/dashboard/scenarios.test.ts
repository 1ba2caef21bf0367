import { readFileSync } from 'node:fs'
import { addOrganizationMember, listCreditHistories, uploadSignature, verifyDocument } from '../../schemas/index.js'
import { until } from '../binary.js'
import { adminOf, lastExchange, send } from '../helper.js'
import { count, fits, flip, focused, goTo, open, phone, press, pressAndConfirm, sees, switched, visit } from './page.js'

const onPhone = { at: '#/scenarios', look: phone, expected: /status of 40[01]/ }

const FIRST_TRY = `version: 1
description: The first two invitations fail.
rules:
  - on: addOrganizationMember
    times: 2
    when: { body: { 'data[0][email]': { endsWith: '@example.test' } } }
    answer: { status: 418 }
`

visit('someone writes a scenario, is refused, mends it, tries it and keeps it', onPhone, async (t, visit) => {
  const { server, page } = visit
  await page.getByRole('link', { name: 'New scenario' }).click()
  await focused(page, 'h2')
  await page.getByLabel('Name').fill('second-fails')
  const text = page.getByLabel('Scenario (YAML)')
  await text.fill(FIRST_TRY)
  await page.getByLabel('Add a rule').selectOption('listCreditHistories:401')
  t.equal(
    await text.inputValue(),
    `${FIRST_TRY}  - on: listCreditHistories\n    times: 1\n    answer: { status: 401 }\n`,
    'a template is added',
  )
  await press(page, 'Save')
  await sees(page, 'addOrganizationMember does not declare 418. It declares 200, 400, 401, 409, 500')
  t.match(await adminOf(server).call('GET', 'scenarios/second-fails'), { statusCode: 404 }, 'nothing is stored')
  await press(page, 'Line 7, column 23:')
  t.equal(await page.evaluate('getSelection().toString()'), '    answer: { status: 418 }', 'its line is selected')
  t.ok(await fits(page), 'nothing sticks out of the editor')
  await page.reload()
  t.match(await text.inputValue(), '418', 'a draft outlives a reload')
  await goTo(page, 'Outcomes')
  await page.goBack()
  await sees(page, 'Unsaved draft')

  await text.fill((await text.inputValue()).replace('418', '500').replace(/times: 1/, 'times: 9'))
  await press(page, 'Save and switch on')
  await page.waitForURL(/#\/scenarios\/second-fails$/)
  await sees(page, 'The first two invitations fail.')
  await switched(page, 'second-fails', true)
  t.equal((await send(server, addOrganizationMember)).statusCode, 500, 'the first invitation fails')
  await sees(page, '1 of 2 left')
  t.equal((await send(server, addOrganizationMember)).statusCode, 500, 'so does the second')
  await sees(page, 'spent')
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'the third does not')
  t.equal((await send(server, listCreditHistories)).statusCode, 401, 'the other rule holds')

  await press(page, 'Restart')
  await sees(page, '2 of 2 left')
  await page.getByLabel('Operation to call').selectOption('listCreditHistories')
  await press(page, 'Try it')
  await page.getByRole('region', { name: 'Try it' }).getByText('401', { exact: true }).first().waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as a file' }).click()
  const file = await download
  t.equal(file.suggestedFilename(), 'second-fails.yaml', 'the file has the scenario’s name')
  t.match(readFileSync(await file.path(), 'utf8'), /endsWith: ['"]?@example\.test/, 'it is the scenario')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await until(async () => (await text.inputValue()).includes('@example.test'))
  await text.fill((await text.inputValue()).replace('times: 2', 'times: 5'))
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
  await pressAndConfirm(page, 'Restart all')
  await sees(page, '1 of 1 left')
  await pressAndConfirm(page, 'Switch all off')
  await switched(page.locator('.list'), 'invitation-conflicts', false)
  t.strictSame(await adminOf(server).active(), [])
  t.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0, 'it cannot be deleted')
  await page.getByRole('link', { name: 'Edit a copy' }).click()
  t.equal(await page.getByLabel('Name').inputValue(), 'my-invitation-conflicts', 'a copy has a name of its own')
  await press(page, 'Save')
  await page.waitForURL(/#\/scenarios\/my-invitation-conflicts$/)
  await switched(page, 'my-invitation-conflicts', false)
})

visit('what was copied as a scenario is pasted and saved', list, async (t, { server, page }) => {
  await send(server, listCreditHistories, { query: { sort: 'x' } })
  const copied = (await server.app.inject('/__admin/requests/x1?format=scenario')).body
  await page.getByRole('link', { name: 'New scenario' }).click()
  await page.getByLabel('Name').fill('pasted')
  await page.getByLabel('Scenario (YAML)').fill(copied)
  await press(page, 'Save')
  await page.waitForURL(/#\/scenarios\/pasted$/)
  t.equal((await server.app.inject('/__admin/scenarios/pasted?format=yaml')).body, copied, 'it is the same')
})

visit('someone decides how the next calls are answered', { at: '#/outcomes', look: phone }, async (t, visit) => {
  const { server, page } = visit
  const invite = async () => (await send(server, addOrganizationMember)).statusCode
  await flip(page, 'addOrganizationMember:401', true)
  await page.getByLabel('Operation').selectOption('addOrganizationMember')
  await page.getByLabel('How many').fill('3')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('409')
  await press(page, 'Apply')
  await sees(page, '3 of 3 left')
  t.equal(await invite(), 409)
  await sees(page, '2 of 3 left')
  t.ok(await fits(page), 'nothing sticks out')
  t.equal(await invite(), 409)
  t.equal(await invite(), 409)
  await sees(page, 'spent')
  t.equal(await invite(), 200, 'then the operation answers as usual')
  await switched(page, 'addOrganizationMember:401', false)

  await open(visit, 'requests/x1')
  await page.getByRole('combobox', { name: 'Calls' }).selectOption('all calls')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('503')
  await press(page, 'Apply')
  await sees(page, /all calls, 0 so far/)
  t.equal(await invite(), 503, 'a gateway answers')
  await page.getByRole('list', { name: 'Next calls' }).getByRole('link').click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const text = page.getByLabel('Scenario (YAML)')
  await until(async () => (await text.inputValue()).includes('status: 503'))
  t.ok(await fits(page), 'nothing sticks out of the editor')
  await open(visit, 'outcomes')
  await page.getByRole('switch', { name: 'answer-addOrganizationMember' }).click()
  await page.getByRole('switch', { name: 'answer-addOrganizationMember' }).waitFor({ state: 'detached' })
  t.equal(await invite(), 200, 'as usual')
})

const inSandbox = { at: '/~w-1/__admin/', expected: /409/ }

visit('an exchange is sent again, and answered so from now on', inSandbox, async (t, { server, url, page }) => {
  const sandbox = 'w-1'
  const open = (id: string) => page.goto(`${url}/~w-1/__admin/#/requests/${id}`)
  await send(server, addOrganizationMember, { form: { 'data[0][first_name]': 'Zoë' }, sandbox })
  await send(server, addOrganizationMember, { headers: { prefer: 'code=500' }, sandbox })
  await send(server, uploadSignature, { sandbox })
  const panel = page.locator('.panel')
  await open('x1')
  await press(page, 'Send again')
  await panel.getByRole('link', { name: 'x4' }).click()
  await page.waitForURL(/#\/requests\/x4$/)
  t.match((await lastExchange(server, sandbox)).request.body, { 'data[0][first_name]': 'Zoë' }, 'the same form')

  await open('x3')
  await sees(page, /The journal does not keep signature\.png/)
  t.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0, 'what the journal has not is not sent')

  await server.app.inject({ method: 'PUT', url: '/~w-1/__admin/scenarios/addOrganizationMember:409' })
  await open('x2')
  await press(page, 'Answer all addOrganizationMember calls like this')
  await page.getByRole('link', { name: 'answer-addOrganizationMember' }).waitFor()
  t.equal((await send(server, addOrganizationMember, { sandbox })).statusCode, 500, 'every call')
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'in this sandbox alone')
  t.strictSame(await adminOf(server, sandbox).active(), ['answer-addOrganizationMember'], 'in place of the other one')
})

const outcomes = { at: '#/outcomes' }

visit('of an operation one outcome answers, and its count leads to its requests', outcomes, async (t, visit) => {
  const { server, page } = visit
  await send(server, listCreditHistories)
  await flip(page, 'verifyDocument:404', true)
  await flip(page, 'verifyDocument:422', true)
  await switched(page, 'verifyDocument:404', false)
  t.equal((await send(server, verifyDocument)).statusCode, 422)
  for (const name of ['listCreditHistories:400', 'listCreditHistories:401'])
    await server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}` })
  await sees(page, 'overridden')
  t.equal(await page.getByText('overridden').count(), 1, 'of what is on elsewhere, the second one')
  await server.app.inject({ method: 'PUT', url: '/__admin/scenarios/gateway:503' })
  await page.getByTitle('gateway:503 answers in its place').nth(2).waitFor()
  t.equal(await page.getByRole('switch', { name: /:200$/ }).count(), 0, 'no success is forced')
  await page.getByRole('link', { name: /^listCreditHistories:200: 1 ×/ }).click()
  await page.waitForURL(/#\/requests\?operation=listCreditHistories&status=200$/)
  await count(page.locator('.exchanges > li'), 1)
})
