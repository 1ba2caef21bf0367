import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { until } from '../binary.js'
import { aBrowser } from '../browser.js'
import { adminOf, send } from '../helper.js'
import {
  clipboard,
  count,
  fits,
  flip,
  focused,
  goTo,
  phone,
  press,
  pressAndConfirm,
  sees,
  show,
  switched,
  visit,
} from './page.js'

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
  t.equal((await send(server, addOrganizationMember)).statusCode, 409, 'a member is not invited again')

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
  const path = new URL((await adminOf(server).mails())[0]?.links.decline as string).pathname
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

visit('two sandboxes side by side', { at: '#/sandboxes', look: phone }, async (t, root) => {
  const { server, url } = root
  const row = (name: string) => root.page.getByRole('row', { name: new RegExp(`^${name}`) })
  await row('root').waitFor()
  await send(server, listCreditHistories, { sandbox: 'w-1' })
  await row('~w-1').waitFor()
  t.ok(await fits(root.page), 'nothing sticks out')
  const link = row('~w-1').getByRole('link')
  t.match(await link.getAttribute('href'), /^\/~w-1\/__admin\/$/, 'it leads to the dashboard of the sandbox')

  for (const [button, copied] of [
    ['Copy URL', `${url}/~w-1`],
    ['Copy header', 'X-Mock-Sandbox: w-1'],
    ['Copy token', 'token-admin~w-1'],
  ] as const) {
    await press(row('~w-1'), button)
    await until(async () => (await clipboard(root.page)) === copied)
  }
  const other = await show(t, await aBrowser(), `${url}/~w-1/__admin/`, phone)
  await sees(other.page, 'listCreditHistories:200')
  t.equal(await other.page.title(), 'Requests · ~w-1 · countersign')
  await goTo(other.page, 'Outcomes')
  await flip(other.page, 'addOrganizationMember:409', true)
  await goTo(root.page, 'Outcomes')
  await switched(root.page, 'addOrganizationMember:409', false)
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'the root answers as ever')
  t.equal((await send(server, addOrganizationMember, { sandbox: 'w-1' })).statusCode, 409, 'the sandbox does not')
  await goTo(other.page, 'Requests')
  await count(other.page.locator('.exchanges > li'), 2)
  await goTo(root.page, 'Requests')
  await count(root.page.locator('.exchanges > li'), 1)

  await goTo(root.page, 'Sandboxes')
  await pressAndConfirm(root.page, 'Reset', row('~w-1'))
  await sees(other.page, 'No requests yet')
  await goTo(other.page, 'Outcomes')
  await switched(other.page, 'addOrganizationMember:409', false)
  await goTo(root.page, 'Requests')
  await count(root.page.locator('.exchanges > li'), 1)
  await goTo(root.page, 'Sandboxes')
  await other.page.goto('about:blank')
  await pressAndConfirm(root.page, 'Delete', row('~w-1'))
  await row('~w-1').waitFor({ state: 'detached' })
  t.equal((await adminOf(server).sandboxes()).length, 0, 'the sandbox is gone')
  t.strictSame(other.problems, [], 'the browser has nothing to complain about')
})

const clock = { at: '#/sandboxes', expected: /status of 400/ }

visit('a sandbox is opened by its name, and its clock is its own', clock, async (t, { server, page }) => {
  await page.getByLabel('Name').fill('no such/name')
  await press(page, 'Open')
  t.match(page.url(), /\/__admin\/#\/sandboxes$/, 'what cannot be a name leads nowhere')
  await page.getByLabel('Name').fill('night')
  await press(page, 'Open')
  await page.waitForURL(/\/~night\/__admin\/$/)
  await page.getByRole('banner').getByText('~night').waitFor()

  await goTo(page, 'Sandboxes')
  await page.getByLabel('Set to').fill('tomorrow')
  await press(page, 'Set')
  await sees(page, /tomorrow/)
  await press(page, 'Freeze')
  await sees(page, 'frozen')
  await page.getByLabel('Set to').fill('2031-05-06T07:08:09Z')
  await press(page, 'Set')
  await sees(page, '2031-05-06T07:08:09.000Z')
  await press(page, 'Advance 1 day')
  await sees(page, '2031-05-07T07:08:09.000Z')
  const clockOf = async (sandbox?: string) => (await adminOf(server, sandbox).call('GET', 'clock')).json()
  t.match(await clockOf('night'), { now: '2031-05-07T07:08:09.000Z' }, 'the clock is set')
  t.match(await clockOf(), { frozen: false }, 'that of the root runs on')
  await sees(page, /days ahead of real time/)
  await press(page, 'Back to real time')
  await page.getByRole('button', { name: 'Back to real time' }).waitFor({ state: 'detached' })
  await press(page, 'Freeze')
  await press(page, 'Unfreeze')
  await sees(page, 'running')
})

visit('a clock that is frozen or moved is visible in every view', { look: phone }, async (t, { server, page }) => {
  const set = (payload: object) => server.app.inject({ method: 'PUT', url: '/__admin/clock', payload })
  const bar = page.getByRole('banner')
  await bar.getByText('Live').waitFor()
  t.equal(await bar.getByTitle('The clock of this sandbox').count(), 0, 'real time is not worth a word')
  await set({ now: '2031-01-15T09:30:00Z', frozen: true })
  await bar.getByText(/^frozen at 1[456] Jan, \d\d:\d\d$/).waitFor()
  await send(server, listCreditHistories)
  await page.locator('.exchanges .at').getByText(/Jan/).waitFor()
  t.ok(await fits(page), 'nothing sticks out')
  await set({ now: new Date(Date.now() + 2 * 86_400_000).toISOString(), frozen: false })
  await bar.getByText('2 days ahead').click()
  await page.getByLabel('Set to').fill('2031-05-06')
  await press(page, 'Set')
  await sees(page, /^2031-05-06T00:00:/)
  await goTo(page, 'Docs')
  await bar.getByText(/days ahead/).waitFor()
  t.ok(await fits(page), 'nothing sticks out of the documentation')
})
