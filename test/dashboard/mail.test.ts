import t from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { until } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, send } from '../helper.js'
import { fits, focused, goTo, phone, sees, show } from './page.js'

t.test('someone reads the mail of an invitation and answers it', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  t.test('on a phone', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    const headers = { host: new URL(url).host }
    const { page, problems } = await show(t, browser, `${url}/__admin/#/mail`, phone)
    await sees(page, 'No mail has been sent')
    await send(server, addOrganizationMember, { headers, form: { 'data[0][first_name]': '<b>Ada</b>' } })
    await page.getByRole('link', { name: /ada@example\.test/ }).click()
    await focused(page, 'h2')
    const mail = page.frameLocator('iframe')
    await mail.getByText('Hello <b>Ada</b>').waitFor()
    t.ok(await fits(page), 'nothing sticks out')
    await sees(page, 'kept here')

    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByRole('main').getByText('accepted', { exact: true }).last().waitFor()
    t.equal(await page.getByRole('button', { name: 'Decline', exact: true }).count(), 0, 'it is answered for good')
    t.equal((await send(server, addOrganizationMember)).statusCode, 409, 'whoever is a member is not invited again')

    await goTo(page, 'State')
    await page.getByRole('link', { name: /^organization_members/ }).click()
    await sees(page, '<b>Ada</b>')
    t.strictSame(problems, [], 'the browser has nothing to complain about')
  })

  t.test('an invitation that was answered elsewhere says so', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    await send(server, addOrganizationMember)
    const { page, context } = await show(t, browser, `${url}/__admin/#/mail`)
    await page.getByRole('link', { name: /ada@example\.test/ }).click()
    await page.getByRole('button', { name: 'Decline', exact: true }).waitFor()
    // The answer from elsewhere comes between the page's last look and its click.
    await context.route('**/invitations', (route) => route.abort())
    const path = new URL(server.worlds.root.outbox.messages()[0]?.links.decline as string).pathname
    await server.app.inject({ method: 'POST', url: `/__admin${path}/decline` })
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await sees(page, 'The invitation is already declined')
    await context.unroute('**/invitations')
    await send(server, addOrganizationMember)
    await sees(page, 'pending')
  })

  t.test('mails can be searched, and one that is gone says so', async (t) => {
    const server = await build(t)
    const url = await server.listen()
    for (const name of ['grace', 'linus']) {
      await send(server, addOrganizationMember, { form: { 'data[0][email]': `${name}@example.test` } })
    }
    const { page } = await show(t, browser, `${url}/__admin/#/mail`)
    await page.getByRole('link', { name: /^Mail, 2 unread/ }).waitFor()
    await page.getByRole('link', { name: /linus@/ }).click()
    await page.getByRole('link', { name: /^Mail, 1 unread/ }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: /^Mail, 1 unread/ }).waitFor()
    const frame = page.frameLocator('iframe')
    await frame.getByText('Hello').waitFor()
    await frame.getByRole('link', { name: 'Accept' }).waitFor({ state: 'detached' })
    t.pass('there is one pair of buttons')
    const hidden = `(({ contentDocument, clientHeight }) => contentDocument.documentElement.scrollHeight - clientHeight)(
      document.querySelector('iframe'))`
    await until(async () => Math.abs((await page.evaluate(hidden)) as number) <= 2)
    t.pass('the frame is as tall as the mail')
    await page.getByText('Source and headers').click()
    await sees(page, /Message-ID: <.*@countersign\.example>/)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: /linus@/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: /linus@/ }).waitFor()
    await page.getByRole('searchbox').fill('GRACE')
    await page.getByRole('link', { name: /linus@/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /grace@/ }).click()
    await focused(page, 'h2')
    await server.app.inject({ method: 'DELETE', url: '/__admin/outbox' })
    await sees(page, 'no longer exists')
  })
})
