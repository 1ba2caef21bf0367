import { expect, test } from 'countersign/playwright'
import { logIn } from './log-in.js'

test('a test that forgets to say whose world it is is told how', async ({ page, countersign }) => {
  await logIn(page, countersign.token)
  await expect(page.getByRole('alert').filter({ hasText: 'names no sandbox' })).toContainText(
    'a token that ends in ~NAME',
  )
})
