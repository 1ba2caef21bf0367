import { listCreditHistories } from '../../schemas/index.js'
import { flow, outcomesMet } from './page.js'

const settings = { adminToken: 'secret' }

flow('sign in with the admin token', { at: '#/outcomes', settings }, async (t, { page, context, send }) => {
  const signIn = async (token: string) => {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
  }
  await signIn('guess')
  await page.getByRole('alert').getByText('This is not the right token.').waitFor()
  await signIn('secret ')
  await page.getByText(outcomesMet(0)).waitFor()
  await page.reload()
  await page.getByText(outcomesMet(0)).waitFor()
  t.equal(await page.evaluate('document.cookie'), '', 'scripts cannot read the cookie')

  await context.clearCookies()
  await send(listCreditHistories)
  await signIn('secret')
  await page.getByText(outcomesMet(1)).waitFor()
})
