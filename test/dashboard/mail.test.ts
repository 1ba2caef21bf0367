import { addOrganizationMember } from '../../schemas/index.js'
import { until } from '../binary.js'
import { send } from '../helper.js'
import { fits, focused, goTo, phone, press, pressAndConfirm, sees, visit } from './page.js'

const onPhone = { at: '#/mail', look: phone }

visit('someone reads the mail of an invitation and answers it', onPhone, async (t, { server, url, page }) => {
  const headers = { host: new URL(url).host }
  await sees(page, 'No mail has been sent')
  await send(server, addOrganizationMember, { headers, form: { 'data[0][first_name]': '<b>Ada</b>' } })
  await page.getByRole('link', { name: /ada@example\.test/ }).click()
  await focused(page, 'h2')
  const mail = page.frameLocator('iframe')
  await mail.getByText('Hello <b>Ada</b>').waitFor()
  t.ok(await fits(page), 'nothing sticks out')
  await sees(page, 'kept here')

  await press(page, 'Accept')
  await page.getByRole('main').getByText('accepted', { exact: true }).last().waitFor()
  t.equal(await page.getByRole('button', { name: 'Decline', exact: true }).count(), 0, 'it is answered for good')
  t.equal((await send(server, addOrganizationMember)).statusCode, 409, 'whoever is a member is not invited again')

  await goTo(page, 'State')
  await page.getByRole('link', { name: /^organization_members/ }).click()
  await sees(page, '<b>Ada</b>')
})

const elsewhere = { at: '#/mail', expected: /status of 409|ERR_FAILED/ }

visit('an invitation that was answered elsewhere says so', elsewhere, async (_, { server, page, context }) => {
  await send(server, addOrganizationMember)
  await page.getByRole('link', { name: /ada@example\.test/ }).click()
  await page.getByRole('button', { name: 'Decline', exact: true }).waitFor()
  // The answer from elsewhere comes between the page's last look and its click.
  await context.route('**/invitations', (route) => route.abort())
  const path = new URL(server.worlds.root.outbox.messages()[0]?.links.decline as string).pathname
  await server.app.inject({ method: 'POST', url: `/__admin${path}/decline` })
  await press(page, 'Accept')
  await sees(page, 'The invitation is already declined')
  await context.unroute('**/invitations')
  await send(server, addOrganizationMember)
  await sees(page, 'pending')
})

const searched = { at: '#/mail', expected: /status of 404/ }

visit('mails can be searched, and one that is gone says so', searched, async (t, { server, url, page }) => {
  for (const name of ['grace', 'linus']) {
    await send(server, addOrganizationMember, {
      form: { 'data[0][email]': `${name}@example.test` },
      headers: { host: new URL(url).host },
    })
  }
  await page.getByTitle('2 unread').waitFor()
  await page.getByRole('link', { name: /linus@/ }).click()
  await page.getByTitle('1 unread').waitFor()
  await page.reload()
  await page.getByTitle('1 unread').waitFor()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Hello').waitFor()
  const popup = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Accept' }).click()
  await (await popup).getByText('invites you to join').waitFor()
  await (await popup).close()
  const hidden = `(({ contentDocument, clientHeight }) => contentDocument.documentElement.scrollHeight - clientHeight)(
      document.querySelector('iframe'))`
  await until(async () => Math.abs((await page.evaluate(hidden)) as number) <= 2)
  const source = await page.getByRole('link', { name: 'Source and headers' }).getAttribute('href')
  t.match((await server.app.inject(`/__admin/${source}`)).body, /Message-ID: <.*@countersign\.example>/)
  await page.getByRole('searchbox').fill('GRACE')
  await page.getByRole('link', { name: /linus@/ }).waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('')
  await page.getByRole('link', { name: /linus@/ }).waitFor()
  await pressAndConfirm(page, 'Delete')
  await page.getByRole('link', { name: /linus@/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /grace@/ }).click()
  await focused(page, 'h2')
  await server.app.inject({ method: 'DELETE', url: '/__admin/outbox' })
  await sees(page, 'no longer exists')
})
