import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { launchBrowser, noBrowser } from '../browser.js'
import { build, send } from '../helper.js'
import { clipboard, count, fits, focused, goTo, sees, show, sizes, switched } from './page.js'

t.test('someone finds out why a request fails, and makes it fail in another way', { skip: noBrowser }, async (t) => {
  const browser = await launchBrowser(t)
  for (const look of sizes) {
    t.test(look.name, async (t) => {
      const server = await build(t)
      const url = await server.listen()
      const { page, problems } = await show(t, browser, `${url}/__admin/`, look)
      await sees(page, 'No requests yet')
      t.ok(await fits(page), 'nothing sticks out of the empty page')

      await send(server, addOrganizationMember, {
        form: { 'data[0][email]': 'undefined' },
        headers: { host: new URL(url).host },
      })
      await sees(page, 'addOrganizationMember:400')
      await page.getByText('addOrganizationMember:400').click()
      t.match(page.url(), /#\/requests\/x1$/, 'the exchange has an address of its own')
      const heading = page.getByRole('heading', { name: '/api/v2/organization/members/add' })
      await heading.waitFor()
      await focused(page, 'h2')
      await sees(page, 'Fix:')
      await sees(page, 'documented')
      t.ok(await fits(page), 'nothing sticks out of the exchange')

      await page.getByRole('button', { name: 'curl', exact: true }).click()
      await page.getByText('Copied').waitFor()
      t.match(await clipboard(page), /^curl .*members\/add/s, 'curl is copied')
      for (const [name, part] of Object.entries({ fetch: /fetch\(/, scenario: /^.*rules:/s, test: /test\(/ })) {
        const button = page.getByRole('button', { name, exact: true })
        await button.click()
        await button.locator('..').getByText('Copied').waitFor()
        t.match(await clipboard(page), part, `${name} is copied`)
      }
      await page.getByRole('button', { name: 'Copy corrected request' }).click()
      await page.getByText('Copied').last().waitFor()
      t.match(await clipboard(page), /@example\.test/, 'the corrected request is copied')
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/requests$/)

      await goTo(page, 'Outcomes')
      await sees(page, '1 of 32 covered')
      t.ok(await fits(page), 'nothing sticks out of the outcomes')
      await page.getByRole('switch', { name: 'addOrganizationMember:409', exact: true }).click()
      await switched(page, 'addOrganizationMember:409', true)
      t.equal((await send(server, addOrganizationMember)).statusCode, 409, 'the app gets the outcome that is on')
      await sees(page, '2 of 32 covered')
      await page.getByRole('switch', { name: 'addOrganizationMember:409', exact: true }).click()
      await switched(page, 'addOrganizationMember:409', false)
      t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'and no longer when it is off')
      await page.getByRole('switch', { name: 'gateway:503', exact: true }).click()
      await switched(page, 'gateway:503', true)
      t.equal((await send(server, listCreditHistories)).statusCode, 503, 'a gateway can answer, too')
      t.strictSame(problems, [], 'the browser has nothing to complain about')
    })
  }
})

t.test('the list of requests', { skip: noBrowser }, async (t) => {
  const browser = await launchBrowser(t)
  const server = await build(t)
  const url = await server.listen()
  for (const sort of ['created_at', 'amount', 'nonsense']) await send(server, listCreditHistories, { query: { sort } })
  await send(server, addOrganizationMember)
  const { page, problems } = await show(t, browser, `${url}/__admin/`)
  const rows = page.locator('.exchanges > li')

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
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/requests\/x2$/)
  await focused(page, 'h2')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/requests$/)
  await focused(page, 'a[href="#/requests/x2"]')
  t.pass('after closing, the focus is back on the row')

  await page.getByRole('button', { name: 'Clear' }).click()
  await count(rows, 0)
  t.equal(server.worlds.root.journal.exchanges().length, 0, 'the journal is cleared')
  await page.goto(`${url}/__admin/#/requests/x2`)
  await sees(page, 'is no longer in the journal')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await sees(page, 'No requests yet')
  t.strictSame(
    problems.filter((one) => !one.includes('404')),
    [],
    'the browser complains only about the exchange that is gone',
  )
})

t.test(
  'filters stand in the address: for a reload, for a colleague, and on the way back',
  { skip: noBrowser },
  async (t) => {
    const browser = await launchBrowser(t)
    const server = await build(t)
    const url = await server.listen()
    await send(server, listCreditHistories)
    await send(server, addOrganizationMember)
    await server.app.inject('/api/v2/credit/histories')
    const { page, problems } = await show(t, browser, `${url}/__admin/`)
    const rows = page.locator('.exchanges > li')
    await page.getByLabel('Operation').selectOption('unmatched')
    await count(rows, 1)
    t.match(await rows.textContent(), '/api/v2/credit/histories')
    await page.getByRole('searchbox').fill('credit')
    await page.waitForURL(/#\/requests\?operation=unmatched&search=credit$/)
    const address = page.url()
    await page.reload()
    await count(rows, 1)
    t.equal(await page.getByRole('searchbox').inputValue(), 'credit', 'after a reload')
    const colleague = await show(t, browser, address)
    await count(colleague.page.locator('.exchanges > li'), 1)

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
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await count(rows, 3)
    await page.waitForURL(/#\/requests\/x3$/)
    t.strictSame(problems, [], 'the browser complains of nothing')
  },
)

t.test('the keyboard is enough', { skip: noBrowser }, async (t) => {
  const browser = await launchBrowser(t)
  const server = await build(t)
  const url = await server.listen()
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'nobody' } })
  const { page } = await show(t, browser, `${url}/__admin/`)
  await sees(page, 'addOrganizationMember:400')
  /** Presses Tab until something has the focus. */
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
  const outline = await page.locator('.exchanges a:focus').evaluate('(one) => getComputedStyle(one).outlineStyle')
  t.not(outline, 'none', 'what has the focus shows it')
  await page.keyboard.press('Enter')
  await focused(page, 'h2')
  await tabTo('.copies button')
  await page.keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  await page.keyboard.press('Escape')
  await focused(page, 'a[href="#/requests/x1"]')
  await page.reload()
  await tabTo('a[href="#/outcomes"]')
  await page.keyboard.press('Enter')
  await focused(page, 'h1')
  await tabTo('[aria-label="uploadSignature:401"]')
  await page.keyboard.press('Space')
  await switched(page, 'uploadSignature:401', true)
  t.ok(server.worlds.root.playback.active.includes('uploadSignature:401'), 'a switch is pressed')
})
