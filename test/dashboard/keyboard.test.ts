import type { Locator } from 'playwright-core'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { flow, focused, switched } from './page.js'

flow('use nothing but the keyboard', { atBothWidths: true }, async (t, { page, send, admin }) => {
  const { keyboard } = page
  const tabTo = async (element: Locator) => {
    for (let presses = 0; presses < 60; presses++) {
      await keyboard.press('Tab')
      if ((await element.and(page.locator(':focus')).count()) === 1) return
    }
    t.fail(`Tab does not lead to ${element}`)
  }
  await send(addOrganizationMember, { form: { 'data[0][email]': 'nobody' } })
  const row = page.getByRole('link', { name: /addOrganizationMember:400/ })
  await row.waitFor()
  await tabTo(page.getByRole('button', { name: 'Skip to the content' }))
  await keyboard.press('Enter')
  await focused(page.getByRole('main'))
  await tabTo(row)
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  t.match(outline, /^(solid|auto)$/, 'what has the focus shows it')
  await keyboard.press('Enter')
  await focused(page.getByRole('heading', { name: /^POST/ }))
  await tabTo(page.getByRole('button', { name: 'Send again' }))
  await keyboard.press('Enter')
  await page.getByText('answered 400').waitFor()
  await keyboard.press('Escape')
  await focused(row.last())

  await page.getByRole('link', { name: 'Outcomes' }).focus()
  await keyboard.press('Enter')
  await focused(page.getByRole('heading', { name: 'Outcomes' }))
  await tabTo(page.getByRole('switch', { name: 'uploadSignature:401' }))
  await keyboard.press('Space')
  await switched(page, 'uploadSignature:401', true)
  t.strictSame(await admin.active(), ['uploadSignature:401'])
})

flow('move in a list with the arrow keys', {}, async (_, { page, send }) => {
  const row = (sort: string) => page.getByRole('link', { name: new RegExp(`sort=${sort}`) })
  const { keyboard } = page
  for (const sort of ['created_at', 'amount', 'currency']) await send(listCreditHistories, { query: { sort } })
  await page.getByText('3 exchanges').waitFor()
  for (const [key, sort] of [
    ['ArrowDown', 'currency'],
    ['ArrowDown', 'amount'],
    ['End', 'created_at'],
    ['ArrowDown', 'created_at'],
    ['Control+Home', 'created_at'],
    ['Home', 'currency'],
    ['ArrowUp', 'currency'],
  ] as const) {
    await keyboard.press(key)
    await focused(row(sort))
  }

  await keyboard.press('Enter')
  await page.waitForURL(/#\/requests\/x3$/)
  await focused(page.getByRole('heading', { name: /^GET/ }))
  await keyboard.press('ArrowDown')
  await page.waitForURL(/#\/requests\/x2$/)
  await page.getByRole('region', { name: /^GET/ }).getByText('amount', { exact: true }).waitFor()
  await keyboard.press('Escape')
  await page.waitForURL(/#\/requests$/)
  await focused(row('amount'))

  const search = page.getByRole('searchbox')
  await keyboard.press('/')
  await focused(search)
  await keyboard.type('a/b')
  await page.getByText('No request matches the filters.').waitFor()
  await keyboard.press('Escape')
  await page.getByText('3 exchanges').waitFor()
  await focused(search)
  await keyboard.press('ArrowDown')
  await focused(row('currency'))
  await keyboard.press('/')
  await keyboard.press('Escape')
  await search.and(page.locator(':not(:focus)')).waitFor()
})
