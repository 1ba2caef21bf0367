import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { until } from '../binary.js'
import { adminOf } from '../helper.js'
import { flow } from './page.js'

const file = (name: string) => fileURLToPath(new URL(`../../fixtures/files/${name}`, import.meta.url))

const formFor = (page: Page, path: string) => page.locator(`api-request[path="${path}"]`)

flow('read the documentation of an operation', { at: '#/outcomes' }, async (t, { page, url, admin }) => {
  await page.getByRole('link', { name: 'verifyDocument', exact: true }).click()
  await page.waitForURL(`${url}/__admin/docs#post-/api/v2/verifications/document/verify`)
  await page.getByText('I-01, Success status.').waitFor()
  await page.getByText('E-mail of the member to add. S6.3').waitFor()
  t.match(await page.title(), /^Docs · ~flow-\d+ · countersign$/)
  t.equal(await page.getByText('Do not edit it').count(), 0, 'no note that the page is generated')
  t.equal(await page.getByText('milliseconds to delay the answer by').count(), 1, 'Prefer is described once')
  const description = page.getByRole('heading', { name: 'Prefer', exact: true })
  const follow = async () => {
    await formFor(page, '/client/signature').getByRole('link', { name: 'Prefer' }).click()
    await page.waitForTimeout(200)
    return ((await description.boundingBox())?.y ?? -1) >= 0
  }
  // A slow page may still move the heading.
  t.ok(await until(follow), 'the link leads to the heading')
  const decision = page.getByRole('listitem').filter({ hasText: 'I-06,' })
  await page.goto(`${url}/__admin/#/outcomes`)
  await page.goto(`${url}/__admin/docs#I-06`)
  await until(async () => Math.abs((await decision.boundingBox())?.y ?? 9_000) < 700)
  await page
    .getByText(/^const token = |^curl -X POST/)
    .first()
    .waitFor()
  await page.getByText("readFileSync('signature.png')").first().waitFor({ state: 'attached' })
  const main = "document.querySelector('rapi-doc').shadowRoot.querySelector('main')"
  t.ok(await page.evaluate(`${main}.scrollWidth <= ${main}.clientWidth`), 'the content fits the scrolling area')

  const bar = page.getByRole('banner')
  await bar.getByText('Live', { exact: true }).waitFor()
  await admin.activate('rate-limited')
  await bar.getByRole('button', { name: '1 on' }).waitFor()
  await bar.getByRole('link', { name: 'State', exact: true }).click()
  await page.waitForURL(`${url}/__admin/#/state`)
})

flow('try operations in the documentation', { at: 'docs', onlyAt: 1280 }, async (t, { page, url, server, admin }) => {
  const otherUrls: string[] = []
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url)) otherUrls.push(request.url())
  })
  const tryIt = async (path: string, answer = 'OK:200') => {
    await formFor(page, path).getByRole('button', { name: 'TRY', exact: true }).click()
    await formFor(page, path).getByText(`Response Status: ${answer}`).waitFor()
    t.equal(await formFor(page, path).getByRole('button', { name: 'CURL' }).count(), 0, 'only one curl command')
    const [exchange] = await admin.requests()
    t.strictSame(exchange?.violations, [], `${path} is called as documented`)
    return exchange?.request
  }
  await formFor(page, '/client/signature').locator('input[type=file]').setInputFiles(file('signature.png'))
  const signature = { filename: 'signature.png', mimetype: 'image/png', size: 2028 }
  t.match(await tryIt('/client/signature'), { body: { file: signature, source: 'drawing', type: 'signature' } })
  const verify = '/api/v2/verifications/document/verify'
  await formFor(page, verify).locator('input[type=file]').setInputFiles(file('verified.pdf'))
  t.match(await tryIt(verify), { body: { file: { filename: 'verified.pdf' }, code: 'DOC-2025-0001' } })
  const invite = '/api/v2/organization/members/add'
  t.match(await tryIt(invite), { body: { 'data[0][email]': 'ada@example.test', 'data[0][role]': 'Member' } })
  await formFor(page, invite).locator('[data-pname=Prefer]').fill('code=409')
  await tryIt(invite, 'Conflict:409')
  t.strictSame(otherUrls, [], 'no other server is called')
  t.equal((await adminOf(server).requests()).length, 0, 'no call goes to the root')
})
