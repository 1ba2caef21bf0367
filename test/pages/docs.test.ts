import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import t from 'tap'
import { fits, sees, visit } from '../dashboard/page.js'
import { adminOf, build } from '../helper.js'

const file = (name: string) => fileURLToPath(new URL(`../../fixtures/files/${name}`, import.meta.url))

/** Each operation: the file to choose, and what arrives with the values that the page fills in. */
const operations = [
  {
    path: '/client/signature',
    choose: 'signature.png',
    outcome: 'uploadSignature:200',
    query: { user_type: 'ENTERPRISE_API' },
    body: {
      file: { filename: 'signature.png', mimetype: 'image/png', size: 2028 },
      source: 'drawing',
      type: 'signature',
    },
  },
  {
    path: '/api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}',
    outcome: 'updateSubOrganizationMember:200',
    query: { user_type: 'ENTERPRISE_API' },
    body: { first_name: 'Zoë', last_name: "O'Connor", role: 'Member' },
  },
  {
    path: '/api/v2/verifications/document/verify',
    choose: 'verified.pdf',
    outcome: 'verifyDocument:200',
    query: { user_type: 'ENTERPRISE_API' },
    body: { file: { filename: 'verified.pdf', mimetype: 'application/pdf' }, code: 'DOC-2025-0001' },
  },
  {
    path: '/api/v2/projects/protect',
    outcome: 'searchProtectedAttachments:200',
    query: {
      user_type: 'ENTERPRISE_API',
      'keyword[sample_1]': 'contract',
      'keyword[sample_2]': 'lease',
      'keyword[sample_3]': '2025',
    },
    body: null,
  },
  {
    path: '/api/v2/credits/histories',
    outcome: 'listCreditHistories:200',
    query: {
      page: 1,
      per_page: 10,
      organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
      user_type: 'ENTERPRISE_API',
      sort: 'received_by',
      order: 'desc',
    },
    body: null,
  },
  {
    path: '/api/v2/organization/members/add',
    outcome: 'addOrganizationMember:200',
    query: { user_type: 'ENTERPRISE_API' },
    body: {
      'data[0][email]': 'ada@example.test',
      'data[0][first_name]': 'Ada',
      'data[0][last_name]': 'Lovelace',
      'data[0][role]': 'Member',
      'data[0][organization_id]': '1',
    },
  },
  {
    path: '/api/v2/projects/{uuid}/link',
    outcome: 'createSigningLink:200',
    query: { email: 'grace@example.test' },
    body: null,
  },
]

const MAIN = "document.querySelector('rapi-doc').shadowRoot.querySelector('main')"

const formOf = (page: Page, path: string) => page.locator(`api-request[path="${path}"]`)

visit('each operation can be tried in the sandbox of the page', { at: '/~w-1/__admin/docs' }, async (t, visited) => {
  const { page, server, url } = visited
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${url}/~w-1/`)) elsewhere.push(request.url())
  })
  for (const { path, choose, outcome, query, body } of operations) {
    const form = formOf(page, path)
    if (choose !== undefined) await form.locator('input[type=file]').setInputFiles(file(choose))
    await form.getByRole('button', { name: 'TRY', exact: true }).click()
    await form.getByText('Response Status: OK:200').waitFor()
    const [exchange] = (await server.app.inject('/~w-1/__admin/requests?limit=1')).json().requests
    t.match(exchange, { outcome, violations: [], request: { query, body } }, outcome)
    t.strictSame(Object.keys(exchange.request.query).sort(), Object.keys(query).sort(), `${outcome}: the query`)
  }
  t.strictSame(elsewhere, [], 'nothing is asked for anywhere else')
  t.equal((await adminOf(server).requests()).length, 0, 'the root is left alone')
})

const expected = /status of 409/
visit('another outcome can be asked for', { at: 'docs', expected }, async (_, { page }) => {
  const form = formOf(page, '/api/v2/organization/members/add')
  await form.locator('[data-pname=Prefer]').fill('code=409')
  await form.getByRole('button', { name: 'TRY', exact: true }).click()
  await form.getByText('Response Status: Conflict:409').waitFor()
})

visit('what the document says is there to read', { at: 'docs' }, async (t, { page }) => {
  await sees(page, 'E-mail of the member to add. (S6.3)')
  await sees(page, 'I-01, Success status.')
  await sees(page, 'The API document lists this response but does not show its body.')
  t.ok(await fits(page), 'nothing sticks out')
  t.ok(await page.evaluate(`${MAIN}.scrollWidth <= ${MAIN}.clientWidth`), 'nor does anything in what scrolls')
  const light = '[theme=light][bg-color="#fbfaf6"][text-color="#1c2230"][primary-color="#2c47b8"]'
  await page.locator(`rapi-doc${light}[nav-bg-color="#ffffff"][nav-text-color="#1c2230"]`).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('rapi-doc[theme=dark][bg-color="#13161d"]').waitFor()
})

t.test('the page loads its own files, and has no script in it', async (t) => {
  const { app } = await build(t)
  for (const base of ['/__admin', '/~w-1/__admin']) {
    const { body, headers } = await app.inject(`${base}/docs`)
    t.match(headers['content-security-policy'], /default-src 'none'.*script-src 'self'; connect-src 'self'/)
    t.match(body, 'data-token="token-admin"', 'the token of the first user is there')
    t.notMatch(body, /<style|<script>|\bon\w+=|https?:/, 'all else is loaded')
    for (const [, address = ''] of body.matchAll(/(?:src|href)="([^"#][^"]*)"/g))
      if (address !== 'data:,') t.equal((await app.inject(`${base}/${address}`)).statusCode, 200, address)
  }
})
