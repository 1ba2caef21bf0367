import { addOrganizationMember } from '../../schemas/index.js'
import { until } from '../binary.js'
import { accessible, flow, waitForFocus } from './page.js'

const smtp = 'smtp://127.0.0.1:1'
flow('see why a mail is not delivered', { at: '#/mail', settings: { smtp } }, async (_, { page, send }) => {
  await send(addOrganizationMember)
  await page.getByRole('link', { name: /^ada@example\.test/ }).click()
  await page.getByText(/^failed: .*ECONNREFUSED/).waitFor()
})

flow('read an invitation and accept it', { atBothWidths: true, at: '#/mail' }, async (t, { page, admin, send }) => {
  await page.getByText('No mail has been sent. Each invitation sends a mail.').waitFor()
  await send(addOrganizationMember, { form: { 'data[0][first_name]': '<b>Ada</b>' } })
  await page.getByRole('link', { name: /^ada@example\.test .* invites you to join .* pending$/ }).click()
  await waitForFocus(page.getByRole('heading', { name: /invites you to join/ }))
  const panel = page.getByRole('region', { name: /invites you to join/ })
  await panel.getByText('kept here, because no SMTP server is set').waitFor()
  await panel.getByRole('definition').getByText('ada@example.test').waitFor()
  const mail = page.frameLocator('iframe')
  await mail.getByText('Hello <b>Ada</b>').waitFor()
  const inner = 'document.querySelector("iframe").contentDocument.documentElement.scrollHeight'
  const isWhole = async () => (await page.locator('iframe').boundingBox())!.height >= Number(await page.evaluate(inner))
  await until(isWhole)
  await panel.getByText('As text').click()
  await panel.getByText(/Hello <b>Ada<\/b> Lovelace,/).waitFor()

  const popup = page.waitForEvent('popup')
  await mail.getByRole('link', { name: 'Accept' }).click()
  const invitation = await popup
  await invitation.getByText('invites you to join').first().waitFor()
  await accessible(t, invitation)
  t.equal(await panel.getByRole('link', { name: 'Open its page' }).getAttribute('href'), invitation.url())
  const source = await panel.getByRole('link', { name: 'Source and headers' }).getAttribute('href')
  t.match((await admin.call('GET', source as string)).body, /^Message-ID: <.*@countersign\.example>/m)

  const problems: string[] = []
  invitation.on('console', (message) => void problems.push(message.text()))
  await invitation.getByRole('button', { name: 'Accept' }).click()
  await invitation.getByRole('status').getByText('You are now a member').waitFor()
  t.equal(await invitation.getByRole('button').count(), 0, 'no button is left')
  t.strictSame(problems, [], 'the content security policy blocks nothing')
  await invitation.close()
  await panel.getByText('accepted', { exact: true }).waitFor()
  t.equal(await panel.getByRole('button', { name: 'Decline' }).count(), 0, 'an accepted invitation cannot be declined')
  t.equal((await send(addOrganizationMember)).status, 409, 'a member is not invited again')
  await page.getByRole('link', { name: 'State', exact: true }).click()
  await page.getByRole('link', { name: /^organization_members/ }).click()
  await page.getByRole('cell', { name: '<b>Ada</b>' }).waitFor()
})

flow('search the mails and delete them', { at: '#/mail' }, async (t, { page, admin, send }) => {
  const mail = (name: string) => page.getByRole('link', { name: new RegExp(`${name}@example`) })
  for (const name of ['grace', 'linus', 'ken'])
    await send(addOrganizationMember, { form: { 'data[0][email]': `${name}@example.test` } })
  await mail('ken').waitFor()
  t.match(
    await page.getByRole('listitem').filter({ hasText: '@' }).first().textContent(),
    'ken@',
    'the newest is first',
  )
  await mail('linus').click()
  await page.getByRole('link', { name: 'Close' }).click()
  await waitForFocus(mail('linus'))
  await page.getByRole('searchbox').fill('GRACE')
  await mail('linus').waitFor({ state: 'detached' })
  await mail('grace').waitFor()
  await page.getByRole('searchbox').fill('nothing has this')
  await page.getByText('No mail matches your search.').waitFor()
  await page.getByRole('searchbox').fill('')

  let isHeld = true
  await page.route('**/html', (route) => until(() => !isHeld).then(() => route.continue()))
  await mail('linus').click()
  const remove = page.getByRole('button', { name: 'Delete' })
  const before = await remove.boundingBox()
  isHeld = false
  await page.frameLocator('iframe').getByText('Hello').waitFor()
  t.strictSame(await remove.boundingBox(), before, 'what loads late moves no button')
  await remove.click()
  const question = page.getByRole('dialog', { name: 'Delete this mail?' })
  await question.waitFor()
  await page.goBack()
  await question.waitFor({ state: 'detached' })
  await page.goForward()
  await remove.click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/#\/mail$/)
  await mail('linus').waitFor({ state: 'detached' })
  t.equal((await admin.mails()).length, 2)

  await mail('grace').click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('accepted', { exact: true }).last().waitFor()
  await waitForFocus(page.getByRole('heading', { name: /invites you to join/ }))
  await admin.call('DELETE', 'outbox')
  await page.getByText('This mail no longer exists.').waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await send(addOrganizationMember)
  await mail('ada').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('dialog', { name: 'Delete 1 mail?' }).getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No mail has been sent.').waitFor()
})
