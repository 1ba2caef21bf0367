import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { accessible, flow, waitForFocus, waitForSwitch } from './page.js'

flow('go back and forth with the buttons of the browser', {}, async (t, { page, send }) => {
  await send(listCreditHistories)
  await page.getByRole('link', { name: /listCreditHistories:200/ }).click()
  const panel = page.getByRole('region', { name: /^GET/ })
  await panel.waitFor()
  await page.getByRole('link', { name: 'Outcomes' }).click()
  await waitForFocus(page.getByRole('heading', { name: 'Outcomes' }))
  t.match(await page.title(), /^Outcomes · ~flow-\d+ · countersign$/)
  await page.goBack()
  await waitForFocus(panel.getByRole('heading', { name: /^GET/ }))
  t.match(await page.title(), /^Requests · /)
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await page.goForward()
  await panel.waitFor()
  await panel.getByRole('link', { name: 'Close' }).click()
  await page.waitForURL(/#\/requests$/)
  await waitForFocus(page.getByRole('link', { name: /listCreditHistories:200/ }))
})

flow('open every view and record by its address', { atBothWidths: true }, async (t, { page, open, send, admin }) => {
  await send(addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test' } })
  await send(addOrganizationMember)
  const [mail] = await admin.mails()
  await admin.call('PUT', 'scenarios/mine', { rules: [{ on: '*', when: { state: 'Done' }, times: 1 }] })
  const views = page.getByRole('navigation', { name: 'Dashboard' })
  for (const [address, view, heading] of [
    ['#/requests/x1', 'Requests', /^POST /],
    ['#/outcomes', 'Outcomes', 'Outcomes'],
    ['#/scenarios/mine', 'Scenarios', 'mine'],
    ['#/scenarios//mine', 'Scenarios', 'Edit mine'],
    [`#/mail/${mail?.id}`, 'Mail', /invites you/],
    ['#/state/documents/', 'State', 'New record of documents'],
    ['#/sandboxes', 'Sandboxes', 'Clock of this sandbox'],
  ] as const) {
    await open(address)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await views.getByRole('link', { name: view, exact: true }).and(page.locator('[aria-current=page]')).waitFor()
    await accessible(t, page)
  }
})

flow('open addresses of unknown views and records', { at: '#/nowhere' }, async (_, { page, open }) => {
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  await open('#/requests/%E0%A4%A')
  await page.getByText('is no longer in the journal').waitFor()
  await open('#/state/organizations/77')
  await page.getByText('There is no record 77 in organizations.').waitFor()
  await open('#/state/nonsense')
  await page.getByRole('alert').getByText("'collection' must be one of users,").waitFor()
})

flow('find every view from the bar, and switch scenarios there', {}, async (t, { page, sandbox, send, admin }) => {
  const bar = page.getByRole('banner')
  const links = bar.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await send(addOrganizationMember)
  for (const view of ['Outcomes', 'Scenarios', 'Mail', 'State', 'Sandboxes', 'Docs', 'Requests']) {
    await links.filter({ hasText: view }).click()
    await bar.locator('[aria-current=page]', { hasText: view }).waitFor()
    await bar.getByText('Live', { exact: true }).waitFor()
  }
  await bar.getByRole('button', { name: 'no scenarios on' }).click()
  await bar.getByRole('switch', { name: 'rate-limited' }).click()
  await waitForSwitch(bar, 'rate-limited', true)
  t.strictSame(await admin.active(), ['rate-limited'], 'the menu switches a scenario on')
  await page.keyboard.press('Escape')
  await waitForFocus(bar.getByRole('button', { name: '1 on' }))
  await bar.getByRole('button', { name: '1 on' }).click()
  await bar.getByRole('switch', { name: 'rate-limited' }).click()
  await waitForSwitch(bar, 'rate-limited', false)
  await page.mouse.click(5, 795)
  await bar.getByRole('switch').first().waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: `~${sandbox}` }).click()
  await bar
    .getByRole('link', { name: new RegExp(`~${sandbox} 1 request`) })
    .and(page.locator('[aria-current]'))
    .waitFor()
  await page.keyboard.press('Escape')
  await bar.getByRole('link', { name: /^root/ }).waitFor({ state: 'detached' })
})
