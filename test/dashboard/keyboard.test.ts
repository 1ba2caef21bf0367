import type { Locator } from 'playwright-core'
import { addOrganizationMember } from '../../schemas/index.js'
import { flow, waitForFocus, waitForSwitch } from './page.js'

flow('use only the keyboard', { atBothWidths: true }, async (t, { page, send, admin }) => {
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
  await waitForFocus(page.getByRole('main'))
  await tabTo(row)
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  t.match(outline, /^(solid|auto)$/, 'the focused element is outlined')
  await keyboard.press('Enter')
  await waitForFocus(page.getByRole('heading', { name: /^POST/ }))
  await tabTo(page.getByRole('button', { name: 'Send again' }))
  await keyboard.press('Enter')
  await page.getByText('answered 400').waitFor()
  await page.getByRole('region', { name: 'Body of the answer' }).focus()
  await keyboard.press('ArrowUp')
  await waitForFocus(page.getByRole('region', { name: 'Body of the answer' }))
  await keyboard.press('Escape')
  await row.nth(1).waitFor()
  await waitForFocus(row.last())
  await keyboard.press('ArrowUp')
  await waitForFocus(row.first())
  await keyboard.press('/')
  await waitForFocus(page.getByRole('searchbox'))
  await keyboard.press('ArrowDown')
  await waitForFocus(row.first())
  await page.getByRole('checkbox').focus()
  await keyboard.press('/')
  await waitForFocus(page.getByRole('searchbox'))
  await keyboard.press('ArrowDown')
  await keyboard.press('End')
  await waitForFocus(row.last())

  await page.getByRole('link', { name: 'Outcomes' }).focus()
  await keyboard.press('Enter')
  await waitForFocus(page.getByRole('heading', { name: 'Outcomes' }))
  await tabTo(page.getByRole('switch', { name: 'uploadSignature:401' }))
  await keyboard.press('Space')
  await waitForSwitch(page, 'uploadSignature:401', true)
  t.strictSame(await admin.active(), ['uploadSignature:401'])
})
