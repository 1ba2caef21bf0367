/** Logs in the user of a token. */
export async function logIn(page, token) {
  await page.goto('/')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
}
