import { listCreditHistories } from '../../schemas/index.js'
import { flow, met } from './page.js'

const settings = { adminToken: 'secret' }

flow('sign in with the admin token', { at: '#/outcomes', settings }, async (t, { page, context, send }) => {
  const signIn = async (token: string) => {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
  }
  await signIn('guess')
  await page.getByRole('alert').getByText('This is not the right token.').waitFor()
  await signIn('secret ')
  await page.getByText(met(0)).waitFor()
  await page.reload()
  await page.getByText(met(0)).waitFor()
  t.equal(await page.evaluate('document.cookie'), '', 'no script sees the cookie')

  await context.clearCookies()
  await send(listCreditHistories)
  await signIn('secret')
  await page.getByText(met(1)).waitFor()
})
