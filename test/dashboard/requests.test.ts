import { execFile } from 'node:child_process'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { aBrowser } from '../browser.js'
import { adminOf, lastExchange, send } from '../helper.js'
import {
  clipboard,
  count,
  fits,
  flip,
  focused,
  goTo,
  open,
  phone,
  press,
  pressAndConfirm,
  sees,
  show,
  switched,
  visit,
} from './page.js'

visit('someone finds out why a request fails, and makes it fail in another way', { look: phone }, async (t, visit) => {
  const { server, url, page } = visit
  await sees(page, 'No requests yet')
  t.ok(await fits(page), 'nothing sticks out of the empty page')

  const headers = { host: new URL(url).host }
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test' }, headers })
  await sees(page, 'addOrganizationMember:400')
  await page.getByText('addOrganizationMember:400').click()
  t.match(page.url(), /#\/requests\/x1$/, 'the exchange has an address of its own')
  await page.getByRole('heading', { name: '/api/v2/organization/members/add' }).waitFor()
  await focused(page, 'h2')
  await sees(page, 'Fix:')
  await sees(page, 'documented')
  t.ok(await fits(page), 'nothing sticks out of the exchange')

  const corrected = page.getByRole('region', { name: 'Corrected request' }).first()
  for (const [button, copied] of Object.entries({
    curl: /^TOKEN='token-admin'\ncurl .*members\/add/s,
    fetch: /fetch\(/,
    scenario: /^.*rules:/s,
    test: /test\(/,
    'Copy corrected as curl': /@example\.test/,
    'Copy corrected as fetch': /form\.append.*@example\.test/,
  })) {
    await press(page, button)
    await page.getByRole('button', { name: button, exact: true }).locator('..').getByText('Copied').waitFor()
    t.match(await clipboard(page), copied, `${button} is copied`)
  }
  t.match(await page.locator('.panel h3').allTextContents(), ['Corrected request'], 'what is corrected stands first')
  t.match(await corrected.locator('mark').allTextContents(), [/email.*@example\.test/], 'what differs is marked')
  const messages = page.locator('.panel p')
  t.equal(await messages.filter({ hasText: 'must be an e-mail' }).count(), 1, 'its message is said once')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/requests$/)

  await goTo(page, 'Outcomes')
  await sees(page, '1 of 32 met')
  t.ok(await fits(page), 'nothing sticks out of the outcomes')
  await flip(page, 'addOrganizationMember:409', true)
  t.equal((await send(server, addOrganizationMember)).statusCode, 409, 'the app gets the outcome that is on')
  await sees(page, '2 of 32 met')
  await flip(page, 'addOrganizationMember:409', false)
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'and no longer when it is off')
  await flip(page, 'gateway:503', true)
  t.equal((await send(server, listCreditHistories)).statusCode, 503, 'a gateway can answer, too')
})

visit('a newcomer copies a first request that works', { at: '/~first/__admin/', look: phone }, async (t, visit) => {
  const { server, url, page } = visit
  await page.getByRole('button', { name: 'no scenarios on' }).waitFor()
  const copied = async (name: string) => {
    await press(page, name)
    await page.getByRole('button', { name, exact: true }).locator('..').getByText('Copied').waitFor()
    return clipboard(page)
  }
  t.equal(await copied('Copy base url'), `${url}/~first`)
  t.equal(await copied('Copy token'), 'token-admin')
  t.ok(await fits(page), 'nothing sticks out')
  const first = await copied('Copy a first request')
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await press(page, 'Copy base url')
  await page.getByRole('button', { name: 'Copy base url' }).locator('..').getByText('Copied').waitFor()
  await page.waitForFunction("document.activeElement.textContent === 'Copy base url'")
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ControlOrMeta+V')
  t.equal(await page.getByRole('searchbox').inputValue(), `${url}/~first`, 'without access to the clipboard, too')
  await page.getByRole('searchbox').fill('')
  await page.evaluate('void (document.execCommand = () => false)')
  await press(page, 'Copy token')
  await sees(page, 'Select the text and copy it yourself.')
  execFile('sh', ['-c', first])
  await sees(page, 'listCreditHistories:200')
  t.equal((await lastExchange(server, 'first')).status, 200)
})

visit(
  'the same request is sent again by the same user',
  { look: phone, expected: /status of 40[13]/ },
  async (t, visit) => {
    const { server, page } = visit
    for (const token of ['token-member', 'unknown'])
      await send(server, listCreditHistories, { headers: { authorization: `Bearer ${token}` } })
    await open(visit, 'requests/x1')
    await sees(page, /^as .* .*, token-member$/)
    await press(page, 'Send again')
    await sees(page, 'x3')
    t.equal((await lastExchange(server)).status, 200)
    await press(page, 'curl')
    await page.getByText('Copied').waitFor()
    t.match(await clipboard(page), /^TOKEN='token-member'/, 'curl has the same token')
    t.ok(await fits(page), 'nothing sticks out')
    await open(visit, 'requests/x2')
    await sees(page, 'with a token that no user has')
    await press(page, 'Send again')
    await page.locator('.panel').getByRole('link', { name: 'x4' }).waitFor()
    t.equal((await lastExchange(server)).status, 401)
  },
)

visit('the list of requests', { expected: /404/ }, async (t, visit) => {
  const { server, page } = visit
  for (const sort of ['created_at', 'amount', 'nonsense']) await send(server, listCreditHistories, { query: { sort } })
  await send(server, addOrganizationMember)
  const rows = page.locator('.exchanges > li')

  await rows
    .last()
    .locator('time')
    .getByText(/^\d\d:\d\d:\d\d$/)
    .waitFor()
  await page.getByRole('searchbox').fill('sort=amount 200')
  await count(rows, 1)
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Operation').selectOption('listCreditHistories')
  await count(rows, 3)
  await page.getByLabel('Status').selectOption('400')
  await count(rows, 1)
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Only with violations').check()
  await count(rows, 1)
  t.match(await rows.textContent(), /nonsense/, 'only the one with a violation is left')
  await page.getByLabel('Only with violations').uncheck()
  await page.getByLabel('Operation').selectOption('')
  await count(rows, 4)

  await rows.first().getByRole('link').focus()
  for (const key of ['ArrowDown', 'End', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(/#\/requests\/x2$/)
  await focused(page, 'h2')
  await page.keyboard.press('ArrowUp')
  await page.waitForURL(/#\/requests\/x3$/)
  await page.keyboard.press('ArrowDown')
  await page.locator('.panel').getByText('sort=amount').waitFor()
  await page.keyboard.press('/')
  await focused(page, '[type=search]')
  await page.evaluate("document.querySelector('.exchanges > :last-child a').click()")
  await page.locator('.panel').getByText('sort=created_at').waitFor()
  await page.keyboard.type('ADA lovelace')
  await count(rows, 1)
  t.match(await rows.textContent(), /members\/add/, 'words of the form are found')
  await page.keyboard.press('Escape')
  await count(rows, 4)
  await page.keyboard.press('Escape')
  await page.waitForFunction('document.activeElement === document.body')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/requests$/)
  await focused(page, 'a[href="#/requests/x1"]')

  const dialog = page.getByRole('dialog', { name: 'Delete 4 exchanges from the journal?' })
  for (const refuse of [() => press(dialog, 'Cancel'), () => page.keyboard.press('Escape')]) {
    await press(page, 'Clear')
    await dialog.waitFor()
    await refuse()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction("document.activeElement.textContent === 'Clear'")
  }
  t.equal((await adminOf(server).requests()).length, 4, 'the journal stays unless one says yes')
  await pressAndConfirm(page, 'Clear')
  await count(rows, 0)
  t.equal((await adminOf(server).requests()).length, 0, 'the journal is cleared')
  await open(visit, 'requests/x2')
  await sees(page, 'is no longer in the journal')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await sees(page, 'No requests yet')
})

visit('filters stand in the address: for a reload, for a colleague, and on the way back', {}, async (t, visit) => {
  const { server, page } = visit
  await send(server, listCreditHistories)
  await send(server, addOrganizationMember)
  await server.app.inject('/api/v2/credit/histories')
  const rows = page.locator('.exchanges > li')
  await page.getByLabel('Operation').selectOption('unmatched')
  await count(rows, 1)
  t.match(await rows.textContent(), '/api/v2/credit/histories')
  await page.getByRole('searchbox').fill('credit')
  await page.waitForURL(/#\/requests\?operation=unmatched&search=credit$/)
  const colleague = await show(t, await aBrowser(), page.url())
  await count(colleague.page.locator('.exchanges > li'), 1)
  await page.reload()
  await count(rows, 1)
  t.equal(await page.getByRole('searchbox').inputValue(), 'credit', 'after a reload')

  await rows.first().getByRole('link').click()
  await page.waitForURL(/#\/requests\/x3\?operation=unmatched&search=credit$/)
  await focused(page, 'h2')
  await count(rows, 1)
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/requests\?operation=unmatched&search=credit$/)
  await page.goBack()
  await page.waitForURL(/#\/requests\/x3\?/)
  await count(rows, 1)

  await page.getByRole('searchbox').fill('nothing has this')
  await count(rows, 0)
  await press(page, 'Clear filters')
  await count(rows, 3)
  await page.waitForURL(/#\/requests\/x3$/)
})

visit('the keyboard is enough', {}, async (t, { server, page }) => {
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'nobody' } })
  await sees(page, 'addOrganizationMember:400')
  await page.reload()
  await sees(page, 'addOrganizationMember:400')
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.locator(`${selector}:focus`).count()) === 1) return
    }
    t.fail(`Tab does not lead to ${selector}`)
  }
  await tabTo('.skip')
  await page.keyboard.press('Enter')
  await focused(page, 'main')
  await tabTo('.exchanges a')
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  t.match(outline, /^(solid|auto)$/, 'what has the focus shows it')
  await page.keyboard.press('Enter')
  await focused(page, 'h2')
  await tabTo('.copies button')
  await page.keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  await page.keyboard.press('Escape')
  await focused(page, 'a[href="#/requests/x1"]')
  await page.reload()
  await tabTo('a[href="./#/outcomes"]')
  await page.keyboard.press('Enter')
  await focused(page, 'h1')
  await tabTo('[aria-label="uploadSignature:401"]')
  await page.keyboard.press('Space')
  await switched(page, 'uploadSignature:401', true)
  t.strictSame(await adminOf(server).active(), ['uploadSignature:401'], 'a switch is pressed')
})
