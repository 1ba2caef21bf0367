import { gzipSync } from 'node:zlib'
import t from 'tap'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { build, fileOf, send as inject } from '../helper.js'
import { flow } from './page.js'

const MARKUP = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
const RIGHT_TO_LEFT = 'שלום \u202eevil\u202c עולם'
const LONG = 'x'.repeat(20_000)

flow('show hostile requests safely', { at: '#/requests/x1' }, async (t, { page, open, server, sandbox, admin }) => {
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  const bytes = Uint8Array.from({ length: 2_000 }, (_, at) => at % 256)
  await inject(server, addOrganizationMember, {
    sandbox,
    form: { 'data[0][first_name]': MARKUP, 'data[0][last_name]': RIGHT_TO_LEFT, [`${MARKUP}${LONG}`]: LONG },
    query: { user_type: 'ENTERPRISE_API', [LONG]: MARKUP },
  })
  await page.reload()
  await page.getByRole('definition').getByText(MARKUP).first().waitFor()
  await page.getByText('\\u202eevil').first().waitFor()
  t.ok(await fits(), 'the page fits the window')
  await inject(server, uploadSignature, { sandbox, form: { file: fileOf(bytes, `${MARKUP}${RIGHT_TO_LEFT}.png`) } })
  await open('#/requests/x2')
  await page.getByText(/2,000 bytes/).waitFor()
  await admin.call('PUT', 'scenarios/odd', {
    active: true,
    description: MARKUP + LONG,
    rules: [
      { on: '*', offContract: true, answer: { body: { [MARKUP]: [RIGHT_TO_LEFT, LONG, '\u0000\u0007\u009f'] } } },
    ],
  })
  await inject(server, listCreditHistories, { sandbox })
  await open('#/requests/x3')
  await page.getByRole('region', { name: 'Body of the answer' }).getByText('שלום').waitFor()
  t.ok(await fits(), 'the page fits the window')
  for (const view of ['requests', 'scenarios/odd', 'mail', 'state/invitations', 'state/signatures']) {
    await open(`#/${view}`)
    await page.getByRole('heading').first().waitFor()
    t.ok(await fits(), `${view} fits the window`)
  }
  t.equal(await page.locator('main img, main script').count(), 0, 'no markup of a request is rendered')
  t.match(await page.title(), /countersign$/, 'no script ran')
})

/** Compressed bytes of the page and all files that it loads. */
const MAX_SIZE = 61_440

t.test('the dashboard is small, and loads only its own files', async (t) => {
  const { app } = await build(t)
  const files = ['', 'dashboard.css', 'dashboard.js']
  const answers = await Promise.all(files.map((file) => app.inject(`/__admin/${file}`)))
  const [page] = answers
  t.match(answers, [{ statusCode: 200 }, { statusCode: 200 }, { statusCode: 200 }])
  const size = answers.reduce((sum, { rawPayload }) => sum + gzipSync(rawPayload).length, 0)
  t.ok(size <= MAX_SIZE, `${size} compressed bytes`)
  const policy = page?.headers['content-security-policy']
  t.match(
    policy,
    /default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; .*frame-ancestors 'none'/,
  )
  t.match(page?.headers['cache-control'], 'no-cache')
  t.notMatch(page?.body, /<style|style=|<script>|https?:/, 'the page has no inline style or script')
  for (const { body } of answers)
    t.notMatch(body, /https?:\/\/(?!www\.w3\.org\/|json-schema\.org\/|countersign\.example\/)/, 'no other host')
})
