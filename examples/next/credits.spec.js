import { expect, test } from 'countersign/playwright'
import { logIn } from './log-in.js'

async function invite(page, email) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Invite' }).click()
}

// All tests invite the same person, at the same time, through the same app: each finds only its own mail.
for (let nth = 1; nth <= 40; nth++) {
  test(`${nth}: the page shows credits, and invites a person`, async ({ page, countersign }) => {
    await logIn(page, countersign.ownToken)
    await expect(page.getByRole('listitem')).toHaveCount(5)
    await invite(page, 'ada@example.test')
    await expect(page.getByRole('status')).toHaveText('Invited.')
    expect(await countersign.outbox.messages()).toHaveLength(1)
    expect(await countersign.requests({ operation: 'addOrganizationMember' })).toHaveLength(1)
  })
}

test('a person who accepts becomes a member', async ({ page, countersign }) => {
  await logIn(page, countersign.ownToken)
  await invite(page, 'ada@example.test')
  const mail = await countersign.outbox.waitFor({ to: 'ada@example.test' })
  await page.goto(mail.links.accept)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.goto('/')
  await invite(page, 'ada@example.test')
  await expect(page.getByRole('status')).toHaveText('Is a member already.')
})
