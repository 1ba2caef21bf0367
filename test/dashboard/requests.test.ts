import t from 'tap'
import { addOrganizationMember, listCreditHistories, uploadSignature, verifyDocument } from '../../schemas/index.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, lastExchange, send } from '../helper.js'
import { clipboard, count, fits, focused, goTo, sees, show, sizes, switched } from './page.js'

t.test('someone finds out why a request fails, and makes it fail in another way', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
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
      t.match(await clipboard(page), /^TOKEN='token-admin'\ncurl .*members\/add/s, 'curl is copied')
      for (const [name, part] of Object.entries({ fetch: /fetch\(/, scenario: /^.*rules:/s, test: /test\(/ })) {
        const button = page.getByRole('button', { name, exact: true })
        await button.click()
        await button.locator('..').getByText('Copied').waitFor()
        t.match(await clipboard(page), part, `${name} is copied`)
      }
      const corrected = page.getByRole('region', { name: 'Corrected request' }).first()
      const [first] = await page.locator('.panel h3').allTextContents()
      t.equal(first, 'Corrected request', 'it stands first')
      t.match(await corrected.locator('mark').allTextContents(), [/email.*@example\.test/], 'what differs is marked')
      for (const [form, part] of Object.entries({ curl: /@example\.test/, fetch: /form\.append.*@example\.test/ })) {
        const button = corrected.getByRole('button', { name: `Copy corrected as ${form}` })
        await button.click()
        await button.locator('..').getByText('Copied').waitFor()
        t.match(await clipboard(page), part, `the corrected request is copied as ${form}`)
      }
      const messages = page.locator('.panel p')
      t.equal(await messages.filter({ hasText: 'must be an e-mail' }).count(), 1, 'its message is said once')
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
  const browser = await aBrowser()
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
  await page.keyboard.press('ArrowUp')
  await page.waitForURL(/#\/requests\/x3$/)
  await page.keyboard.press('ArrowDown')
  await sees(page, /^x2 at/)
  await page.keyboard.press('/')
  await focused(page, '[type=search]')
  await page.keyboard.type('ADA lovelace')
  await count(rows, 1)
  t.match(await rows.textContent(), /members\/add/, 'words of the form are found')
  await page.keyboard.press('Escape')
  await count(rows, 4)
  await page.keyboard.press('Escape')
  await page.waitForFunction('document.activeElement === document.body')
  await page.keyboard.press('Escape')
  await page.waitForURL(/#\/requests$/)
  await focused(page, 'a[href="#/requests/x2"]')
  t.pass('after closing, the focus is back on the row')

  await page.getByRole('button', { name: 'Clear' }).click()
  await count(rows, 0)
  t.equal(server.worlds.root.journal.exchanges().length, 0, 'the journal is cleared')
  await page.getByText('4 exchanges cleared').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await count(rows, 4)
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await count(rows, 0)
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
    const browser = await aBrowser()
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
  const browser = await aBrowser()
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
  await tabTo('a[href="#/outcomes"]')
  await page.keyboard.press('Enter')
  await focused(page, 'h1')
  await tabTo('[aria-label="uploadSignature:401"]')
  await page.keyboard.press('Space')
  await switched(page, 'uploadSignature:401', true)
  t.ok(server.worlds.root.playback.active.includes('uploadSignature:401'), 'a switch is pressed')
})

t.test('an exchange is sent again, and answered so from now on', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  const server = await build(t)
  const url = await server.listen()
  await send(server, addOrganizationMember, { form: { 'data[0][first_name]': 'Zoë' }, sandbox: 'w-1' })
  await send(server, addOrganizationMember, { headers: { prefer: 'code=500' }, sandbox: 'w-1' })
  await send(server, uploadSignature, { sandbox: 'w-1' })
  const { page, problems } = await show(t, browser, `${url}/~w-1/__admin/#/requests/x1`)
  const panel = page.locator('.panel')
  await page.getByRole('button', { name: 'Send again' }).click()
  await panel.getByRole('link', { name: 'x4' }).waitFor()
  t.match(entryOf(lastExchange(server, 'w-1')).request.body, { 'data[0][first_name]': 'Zoë' }, 'the same form')
  await panel.getByRole('link', { name: 'x4' }).click()
  await page.waitForURL(/#\/requests\/x4$/)

  await page.goto(`${url}/~w-1/__admin/#/requests/x3`)
  await sees(page, 'A file was sent')
  t.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0, 'what the journal has not is not sent')

  await server.app.inject({ method: 'PUT', url: '/~w-1/__admin/scenarios/addOrganizationMember:409' })
  await page.goto(`${url}/~w-1/__admin/#/requests/x2`)
  await page.getByRole('button', { name: 'Answer this from now on' }).click()
  await page.getByText('addOrganizationMember is answered so from now on').waitFor()
  t.equal((await send(server, addOrganizationMember, { sandbox: 'w-1' })).statusCode, 500, 'whatever is sent')
  t.equal((await send(server, addOrganizationMember)).statusCode, 200, 'in this world alone')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  t.strictSame(server.worlds.sandbox('w-1')?.playback.active, ['addOrganizationMember:409'], 'and back')
  t.strictSame(
    problems.filter((one) => !one.includes('409')),
    [],
    'the browser complains of nothing else',
  )
})

t.test('of an operation one outcome answers, and its count leads to its requests', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  const server = await build(t)
  const url = await server.listen()
  await send(server, listCreditHistories)
  const { page } = await show(t, browser, `${url}/__admin/#/outcomes`)
  const press = (name: string) => page.getByRole('switch', { name, exact: true }).click()
  await press('verifyDocument:404')
  await switched(page, 'verifyDocument:404', true)
  await press('verifyDocument:422')
  await switched(page, 'verifyDocument:422', true)
  await switched(page, 'verifyDocument:404', false)
  t.equal((await send(server, verifyDocument)).statusCode, 422)
  for (const name of ['listCreditHistories:400', 'listCreditHistories:401'])
    await server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}` })
  await sees(page, 'does not answer')
  t.equal(await page.getByText('does not answer').count(), 1, 'of what is on elsewhere, the second one')
  await page.getByRole('link', { name: /^listCreditHistories:200: 1 ×/ }).click()
  await page.waitForURL(/#\/requests\?operation=listCreditHistories&status=200$/)
  await count(page.locator('.exchanges > li'), 1)
})
