import { expect, test } from 'countersign/playwright'
import { logIn } from './log-in.js'

test('a token without a sandbox is an error that explains how to name one', async ({ page, countersign }) => {
  await logIn(page, countersign.token)
  await expect(page.getByRole('alert').filter({ hasText: 'names no sandbox' })).toContainText(
    'a token that ends in ~NAME',
  )
})
