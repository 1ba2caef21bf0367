/** Logs a user in, whom a token stands for. */
export async function logIn(page, token) {
  await page.goto('/')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Log in' }).click()
}
