import { addOrganizationMember, verifyDocument } from '../../schemas/index.js'
import { flow, met, switched } from './page.js'

flow('switch an outcome on and off', { atBothWidths: true, at: '#/outcomes' }, async (t, { page, send }) => {
  await page.getByText(met(0)).waitFor()
  await page.getByRole('switch', { name: 'addOrganizationMember:409' }).click()
  await switched(page, 'addOrganizationMember:409', true)
  await page.getByRole('button', { name: '1 on' }).waitFor()
  t.equal((await send(addOrganizationMember)).status, 409)
  await page.getByText(met(1)).waitFor()
  t.equal(await page.getByRole('progressbar', { name: 'Outcomes met' }).getAttribute('value'), '1')

  await page.getByRole('switch', { name: 'addOrganizationMember:401' }).click()
  await switched(page, 'addOrganizationMember:409', false)
  await page.getByText('addOrganizationMember:409 off: addOrganizationMember:401 answers').waitFor()
  t.equal((await send(addOrganizationMember)).status, 401, 'the outcome that was switched on last')
  await page.getByRole('switch', { name: 'addOrganizationMember:401' }).click()
  await page.getByRole('button', { name: 'no scenarios on' }).waitFor()
  t.equal((await send(addOrganizationMember)).status, 200, 'as usual')
  t.equal(await page.getByRole('switch', { name: /:200$/ }).count(), 0, 'a success cannot be forced')
})

flow('let a gateway answer', { at: '#/outcomes' }, async (t, { page, send, admin }) => {
  await admin.activate('verifyDocument:404')
  await switched(page, 'verifyDocument:404', true)
  await page.getByRole('switch', { name: 'gateway:503' }).click()
  await switched(page, 'gateway:503', true)
  await page.getByTitle('gateway:503 answers in its place').getByText('overridden').waitFor()
  t.equal((await send(verifyDocument)).status, 503)
  await page.getByText(met(0)).waitFor()
  await page.getByRole('switch', { name: 'gateway:502' }).click()
  await switched(page, 'gateway:503', false)
  await page.getByRole('switch', { name: 'gateway:502' }).click()
  await page.getByText('overridden').waitFor({ state: 'detached' })
  t.equal((await send(verifyDocument)).status, 404)

  await admin.activate('verifyDocument:422')
  await page.getByTitle('verifyDocument:404 answers in its place').waitFor()
  t.equal(await page.getByText('overridden').count(), 1, 'only the outcome that came later')
})

flow('force the next calls', { at: '#/outcomes' }, async (t, { page, send, admin }) => {
  await admin.activate('addOrganizationMember:401')
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('addOrganizationMember')
  await page.getByRole('spinbutton', { name: 'How many' }).fill('2')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('409')
  await page.getByRole('button', { name: 'Apply' }).click()
  const forced = page.getByRole('list', { name: 'Next calls' }).getByRole('listitem')
  await forced.getByText('the answer is 409.').waitFor()
  await forced.getByText('2 of 2 left').waitFor()
  await switched(page, 'addOrganizationMember:401', true)
  t.equal((await send(addOrganizationMember)).status, 409, 'before the outcome that stays on')
  await forced.getByText('1 of 2 left').waitFor()
  t.equal((await send(addOrganizationMember)).status, 409)
  await forced.waitFor({ state: 'detached' })
  t.strictSame(await admin.active(), ['addOrganizationMember:401'], 'it has switched itself off')
  t.equal((await send(addOrganizationMember)).status, 401, 'then what was on answers again')
})

flow('answer all calls like one that came', {}, async (t, { page, open, send, admin }) => {
  await send(addOrganizationMember, { headers: { prefer: 'code=500' } })
  await admin.activate('addOrganizationMember:409')
  await open('#/requests/x1')
  await page.getByRole('button', { name: 'Answer all addOrganizationMember calls like this' }).click()
  await page.getByRole('region', { name: /^POST/ }).getByRole('link', { name: 'Next calls' }).click()
  const forced = page.getByRole('list', { name: 'Next calls' }).getByRole('listitem')
  await forced.getByText('all calls, 0 so far').waitFor()
  t.equal((await send(addOrganizationMember)).status, 500)
  t.strictSame(
    (await admin.active()).sort(),
    ['addOrganizationMember:409', 'answer-addOrganizationMember'],
    'both are on',
  )

  await page.getByRole('combobox', { name: 'Operation' }).selectOption('addOrganizationMember')
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('429')
  await page.getByRole('button', { name: 'Apply' }).click()
  await forced.getByText('1 of 1 left').waitFor()
  t.equal((await send(addOrganizationMember)).status, 429, 'the next call alone')
  await page.getByRole('spinbutton', { name: 'How many' }).fill('')
  await page.getByRole('button', { name: 'Apply' }).click()
  await forced.getByText('all calls, 0 so far').waitFor()
})
