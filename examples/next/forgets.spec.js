import { expect, test } from 'countersign/playwright'
import { logIn } from './log-in.js'

test('a test that forgets to say its sandbox is told how to name it', async ({ page, countersign }) => {
  await logIn(page, countersign.token)
  await expect(page.getByRole('alert').filter({ hasText: 'names no sandbox' })).toContainText(
    'a token that ends in ~NAME',
  )
})
