// Takes the README's picture of the dashboard: a server on the default fixtures, some calls, and a browser.
//   npm run screenshot [FILE]
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { startMockServer } from '../dist/index.js'
import { findBrowser } from '../test/find-browser.mjs'

const [file = fileURLToPath(new URL('../docs/dashboard.png', import.meta.url))] = process.argv.slice(2)
const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'

const mock = await startMockServer({ port: 4010, clock: '2026-01-15T09:30:00Z' })
await story()
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
await page.goto(`${mock.adminUrl}/#/requests`)
await page.getByRole('link', { name: /400/ }).first().click()
await page.getByRole('heading', { name: /violation/i }).waitFor()
await page.screenshot({ path: file })
await browser.close()
await mock.close()
console.log(`wrote ${file}`)

/** What a day of front-end work looks like. */
async function story() {
  const histories = (query, headers) =>
    call(`/api/v2/credits/histories?organization_uuid=${ORGANIZATION}&${query}`, { headers })
  await histories('page=1&per_page=10')
  await call('/api/v2/projects/protect?user_type=ENTERPRISE_API&keyword%5Bsample_1%5D=contract')
  await invite('ada@example.test')
  await invite('grace@taken.example', 'invitation-conflicts')
  await histories('page=2&per_page=10', { prefer: 'code=503' })
  await call('/client/signature?user_type=ENTERPRISE_API', {
    method: 'POST',
    headers: { authorization: 'Bearer expired' },
  })
  await histories('per_page=10')
}

async function invite(email, scenario) {
  const body = new FormData()
  const data = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
  for (const [name, value] of Object.entries(data)) body.set(`data[0][${name}]`, value)
  const headers = scenario === undefined ? {} : { prefer: `scenario=${scenario}` }
  await call('/api/v2/organization/members/add?user_type=ENTERPRISE_API', { method: 'POST', body, headers })
}

async function call(path, { headers = {}, ...init } = {}) {
  await fetch(mock.url + path, { ...init, headers: { authorization: `Bearer ${mock.token}`, ...headers } })
}
