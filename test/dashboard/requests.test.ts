import { execFile } from 'node:child_process'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { until } from '../binary.js'
import { fileOf } from '../helper.js'
import { copy, flow, waitForFocus } from './page.js'

flow('watch requests arrive', { atBothWidths: true, settings: { journalSize: 3 } }, async (t, { page, url, send }) => {
  await page.getByText('No requests yet').waitFor()
  t.equal(await copy(page, 'Copy base url'), url)
  t.equal(await copy(page, 'Copy token'), 'token-admin')
  await page.getByRole('button', { name: 'as fetch' }).click()
  const fetchCode = /^const token = 'token-admin'\nconst response = await fetch\('.*\{ 'authorization': `Bearer/s
  t.match(await copy(page, 'Copy a first request'), fetchCode)
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  const loadsOnce = async () => {
    requestedUrls.length = 0
    await page.reload()
    await page.getByText('await fetch').waitFor()
    // A second request would come within this time.
    await page.waitForTimeout(600)
    return new Set(requestedUrls).size === requestedUrls.length
  }
  // On a busy machine, the page may load before its event stream opens, and then loads its data again.
  t.ok((await loadsOnce()) || (await loadsOnce()) || (await loadsOnce()), 'the page requests each URL once')
  await page.getByRole('button', { name: 'as curl' }).click()
  execFile('sh', ['-c', await copy(page, 'Copy a first request')])
  const first = page.getByRole('link', { name: /200 GET \/api.* searchProtectedAttachments:200/ })
  await first.getByText(/^\d\d:\d\d:\d\d$/).waitFor()
  await page.getByText('1 exchange', { exact: true }).waitFor()
  await page.getByText('No requests yet').waitFor({ state: 'detached' })

  await send(uploadSignature)
  await page.getByText('2 exchanges', { exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'uploadSignature:200' }).waitFor()
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem')
  t.match(await rows.first().textContent(), 'uploadSignature:200', 'the newest is first')
  await send(uploadSignature)
  await send(uploadSignature)
  await first.waitFor({ state: 'detached' })
  await page.getByText('3 exchanges: the newest; older ones are not shown').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  const question = page.getByRole('dialog', { name: 'Delete all exchanges from the journal?' })
  await question.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No requests yet').waitFor()
})

flow('watch 200 requests arrive, and open an old one', { onlyAt: 1280 }, async (t, { page, open, send }) => {
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  await send(listCreditHistories)
  await page.getByText('1 exchange', { exact: true }).waitFor()
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  for (let count = 0; count < 200; count++) await send(listCreditHistories)
  await page.getByText('201 exchanges', { exact: true }).waitFor()
  t.strictSame(requestedUrls, [], 'the page sends no request for them')
  await open('#/requests/x3')
  const row = page.locator('a[aria-current=true]')
  await until(async () => ((await row.boundingBox())?.y ?? 800) < 760)
})

flow('see a pending request, then its answer', {}, async (t, { page, sandbox, send }) => {
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem')
  await page.getByRole('searchbox').fill('credits page=2')
  const sent = send(listCreditHistories, { query: { page: '2', per_page: '10' }, headers: { prefer: 'delay=3000' } })
  await rows.getByText(/^\d\.\d s so far$/).waitFor()
  const row = rows.getByRole('link', { name: /pending GET/ })
  t.match(await row.textContent(), /\/api\/v2\/credits\/histories\s*\?.*page=2/, 'the row shows the query')
  t.notMatch(await row.textContent(), new RegExp(`user_type|${sandbox}`), 'the row omits common parts')
  await row.click()
  await page
    .getByRole('region', { name: /^GET/ })
    .getByText(/s so far$/)
    .waitFor()
  await sent
  await page.getByRole('region', { name: 'Answer', exact: true }).waitFor()
  await rows.locator('.status', { hasText: 'pending' }).waitFor({ state: 'detached' })
})

flow('see the effects of a request', {}, async (_, { page, open, send, admin }) => {
  await send(addOrganizationMember)
  await send(addOrganizationMember, { form: { 'data[0][email]': 'grace@example.test', 'data[0][role]': 'Admin' } })
  const [, mail] = await admin.mails()
  await open('#/requests/x2')
  await page.getByRole('link', { name: /^invitations\// }).click()
  await page.getByText('by request').getByRole('link', { name: 'x2' }).click()
  await page.getByRole('link', { name: `mail ${mail?.id}` }).click()
  await page.getByRole('heading', { name: /invites you/ }).waitFor()
  await page.getByText('by request').getByRole('link', { name: 'x2' }).click()
  await page.waitForURL(/#\/requests\/x2/)
})

flow('see in the list why each request got its answer', {}, async (_, { page, url, send, admin }) => {
  const row = (name: RegExp) => page.getByRole('link', { name }).waitFor()
  await send(addOrganizationMember, { form: { 'data[0][email]': 'nobody', colour: 'red' } })
  await row(/ 400 POST .* addOrganizationMember:400 2 violations The form field 'data\[0\]\[email\]' must be.* \d+ ms$/)
  await send(listCreditHistories, { query: { sort: 'x' }, headers: { prefer: 'expect=400' } })
  await row(/ 400 GET .*sort=x.* 1 violation, expected The query parameter 'sort' must be one of/)
  await send(listCreditHistories, { headers: { prefer: 'code=503, expect=400' } })
  await row(/ 503 GET .* gateway:503 1 violation Requested by code=503, expect=400 \d+ ms$/)
  await send(listCreditHistories, { headers: { prefer: 'fault=EMPTY_RESPONSE' } }).catch(() => {})
  await row(/ fault GET .* EMPTY_RESPONSE Requested by fault=EMPTY_RESPONSE \d+ ms$/)
  await fetch(`${url}/nowhere`)
  await row(/ 404 GET .*\/nowhere no-such-route 1 violation No operation matches GET \/nowhere/)
  const rules = [{ on: 'uploadSignature', offContract: true, answer: { status: 418 } }]
  await admin.call('PUT', 'scenarios/teapot', { active: true, rules })
  await send(uploadSignature)
  await row(/ 418 POST .* uploadSignature:418 1 deviation Rule 1 of the scenario teapot answered\. \d+ ms$/)
  const slow = { headers: { prefer: 'delay=20000' } }
  await send(listCreditHistories, slow, { signal: AbortSignal.timeout(200) }).catch(() => {})
  await row(/ aborted GET .* no answer Aborted: the connection ended before the answer \d+ ms$/)
})

flow('see the violations of a request', { atBothWidths: true }, async (t, { page, send }) => {
  const names = { 'data[0][last_name]': ['Lovelace', ''], colour: 'red' }
  await send(addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test', ...names } })
  await page.getByRole('link', { name: /addOrganizationMember:400/ }).click()
  await page.waitForURL(/#\/requests\/x1$/)
  await waitForFocus(page.getByRole('heading', { name: /^POST .*\/api\/v2\/organization\/members\/add$/ }))

  const panel = page.getByRole('region', { name: /^POST/ })
  const corrected = panel.getByRole('region', { name: 'Corrected request' })
  await corrected.locator('mark').getByText('data[0][email]=ada@example.test').waitFor()
  t.equal(await corrected.locator('mark').count(), 1, 'only the change is highlighted')
  await corrected.getByText('As it was sent').click()
  const sent = ['data[0][email]=mailto:ada@example.test', 'data[0][last_name]=', 'colour=red']
  t.strictSame(await corrected.getByRole('deletion').allTextContents(), sent, 'removed parts are struck out')

  const [email, lastName, colour] = await panel.getByRole('article').allInnerTexts()
  t.match(
    email,
    /documented\s+invalid-parameter\s+form\.data\[0\]\[email\]\s+Fix: Send it in the form: -F 'data\[0\]\[email\]=ada@example/,
  )
  t.match(lastName, /interpretation\s+repeated-parameter.+was sent 2 times.+Fix: Send 'data\[0\]\[last_name\]' once\./s)
  t.match(colour, /interpretation\s+unknown-field.+colour.+Fix: Remove 'colour'\./s)
  t.equal(await panel.getByText(/must be an e-mail address/).count(), 2, 'the reason is shown above and in the answer')
  t.equal(await panel.getByRole('link', { name: 'S6.3' }).getAttribute('href'), 'docs#S6.3', 'the source is linked')

  const request = panel.getByRole('region', { name: 'Request', exact: true })
  t.match(await request.innerText(), /Query\s+user_type\s+ENTERPRISE_API\s+Form fields/)
  t.match(await request.innerText(), /data\[0\]\[last_name\]\s+Lovelace\s+empty/, 'even an empty value is shown')
  const answer = panel.getByRole('region', { name: 'Answer', exact: true })
  await answer.getByText('"code": 400').waitFor()
  await answer.getByText('Headers').click()
  await answer.getByText('x-mock-outcome').waitFor()
  await panel.getByText('Details').click()
  await panel.getByText('validate', { exact: true }).waitFor()
})

flow('copy a request as curl, fetch, scenario or test', {}, async (t, { page, sandbox, open, send }) => {
  await send(addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test' } })
  await open('#/requests/x1')
  const curl = await copy(page, 'curl')
  t.match(curl, /^TOKEN='token-admin'\ncurl .*mailto:ada@example\.test/s)
  t.match(curl, `/~${sandbox}/api/v2/organization/members/add`, 'curl calls the sandbox')
  t.match(await copy(page, 'fetch'), /await fetch\(/)
  t.match(await copy(page, 'scenario'), /^version: 1.+rules:.+status: 400/s)
  t.match(await copy(page, 'test'), /from 'node:test'/)
  await page.getByRole('combobox', { name: 'Tests for' }).selectOption('Vitest')
  await page.reload()
  t.match(await copy(page, 'test'), /from 'vitest'/, 'the framework is remembered')
  t.match(await copy(page, 'Copy corrected as curl'), /curl .+data\[0\]\[email\]=ada@example\.test/s)
  await page.getByRole('button', { name: 'as fetch' }).click()
  await page.getByText("Fix: Send it in the form: form.append('data[0][email]', 'ada@example.test')").waitFor()
  t.match(await copy(page, 'Copy corrected as fetch'), /form\.append\('data\[0\]\[email\]', 'ada@example\.test'\)/)
  await send(listCreditHistories, { headers: { authorization: 'Bearer token-member' } })
  await open('#/requests/x2')
  t.match(await copy(page, 'curl'), /^TOKEN='token-member'/, 'curl sends the token of the caller')
})

flow('open requests of every kind', {}, async (_, { page, url, open, send, admin }) => {
  const panel = page.getByRole('region', { name: /^(GET|POST) / })
  await send(listCreditHistories, { headers: { prefer: 'fault=EMPTY_RESPONSE' } }).catch(() => {})
  await open('#/requests/x1')
  await panel.getByText('The fault EMPTY_RESPONSE was forced: no usable answer.').waitFor()
  await panel.getByText('Details').click()
  await panel.getByText('forceOutcome', { exact: true }).waitFor()

  await fetch(`${url}/nowhere?a=1?2`, { method: 'POST', body: 'a text\u0000' })
  await open('#/requests/x2')
  await panel.getByRole('region', { name: 'Body of the request' }).getByText('a text\\u0000').waitFor()
  await panel.getByRole('definition').getByText('1?2').waitFor()
  await panel.getByText("Call one of the operations. 'npx countersign list operations' shows them.").waitFor()
  await panel.getByRole('button', { name: /^Answer all/ }).waitFor({ state: 'detached' })

  await send(uploadSignature, { form: { file: fileOf('GIF89a', '', 'image/gif') } })
  await open('#/requests/x3')
  await panel.getByText('no file name', { exact: true }).waitFor()
  await panel.getByText('image/gif · 6 bytes').waitFor()
  await panel.getByText('The journal does not keep a file without a name.').waitFor()

  const rules = [{ on: 'listCreditHistories', offContract: true, answer: { status: 418, body: { a: [1, null] } } }]
  await admin.call('PUT', 'scenarios/teapot', { active: true, rules })
  await send(listCreditHistories)
  await open('#/requests/x4')
  const deviation = panel.getByRole('region', { name: 'Deviations' }).getByRole('article')
  await deviation.getByText('on purpose').waitFor()
  await deviation.getByText('listCreditHistories declares 200, 400, 401, not 418.').waitFor()

  await open('#/requests/x1')
  await panel.getByRole('region', { name: 'Answer', exact: true }).waitFor()
  await admin.call('POST', 'reset')
  await send(listCreditHistories)
  await page.getByText('the sandbox was reset, and another request has its id.').waitFor()

  await open('#/requests/x99')
  await page.getByText('Exchange x99 is no longer in the journal').waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await waitForFocus(page.getByRole('heading', { name: 'Requests' }))
})

flow('send a request again', {}, async (t, { page, url, open, send, admin }) => {
  const again = page.getByRole('button', { name: 'Send again' })
  await send(addOrganizationMember, { form: { 'data[0][first_name]': 'Zoë' } })
  await open('#/requests/x1')
  await page.getByText('as Amélie Vestergaard', { exact: true }).waitFor()
  await again.click()
  await page.getByText('answered 200').waitFor()
  await page.getByRole('status').getByRole('link', { name: 'x2' }).click()
  await page.waitForURL(/#\/requests\/x2$/)
  const [second] = await admin.requests()
  t.match(second?.request.body, { 'data[0][first_name]': 'Zoë' }, 'the same form is sent')

  await send(listCreditHistories, { headers: { authorization: 'Bearer token-member' } })
  await open('#/requests/x3')
  await page.getByText('as 俊 李', { exact: true }).waitFor()
  await again.click()
  await page.getByText('answered 200').waitFor()

  await send(listCreditHistories, { headers: { authorization: 'Bearer unknown' } })
  await open('#/requests/x5')
  await page.getByText('with a token that no user has').waitFor()
  await again.click()
  await page.getByText('answered 401').waitFor()

  await fetch(`${url}/nowhere`, { method: 'POST', body: 'a text' })
  await open('#/requests/x7')
  await page.getByText('without a token').waitFor()
  await again.click()
  await page.getByText('answered 404').waitFor()
  t.equal((await admin.requests())[0]?.request.body, 'a text', 'the same text is sent')

  await send(listCreditHistories, { headers: { prefer: 'fault=EMPTY_RESPONSE' } }).catch(() => {})
  await open('#/requests/x9')
  await again.click()
  await page.getByRole('alert').getByText('No answer came').waitFor()

  await send(uploadSignature)
  await open('#/requests/x11')
  await page.getByText('The journal does not keep signature.png.').waitFor()
  t.equal(await again.count(), 0, 'a file that is not kept is not sent')
})

flow('filter the requests, keep the filters and clear them', {}, async (t, { page, url, open, send }) => {
  const waitForText = (text: string) => page.getByText(text, { exact: true }).waitFor()
  const operation = page.getByRole('combobox', { name: 'Operation' })
  const status = page.getByRole('combobox', { name: 'Status' })
  for (const sort of ['created_at', 'amount', 'nonsense']) await send(listCreditHistories, { query: { sort } })
  await send(addOrganizationMember)
  await fetch(`${url}/nowhere`)
  await waitForText('5 exchanges')
  await operation.selectOption('listCreditHistories')
  await waitForText('3 of 5 exchanges')
  await status.selectOption('400')
  await waitForText('1 of 5 exchanges')
  await status.selectOption('Status: any')
  await page.getByLabel('Only with violations').check()
  await waitForText('1 of 5 exchanges')
  await page.getByLabel('Only with violations').uncheck()
  await page.getByRole('searchbox').fill('sort=amount 200')
  await waitForText('1 of 5 exchanges')
  await page.waitForURL(/#\/requests\?operation=listCreditHistories&search=sort%3Damount\+200$/)

  await page.reload()
  await waitForText('1 of 5 exchanges')
  t.equal(await page.getByRole('searchbox').inputValue(), 'sort=amount 200', 'the search survives a reload')
  await page.getByRole('link', { name: /sort=amount/ }).click()
  await page.waitForURL(/#\/requests\/x2\?operation=listCreditHistories&search=sort%3Damount\+200$/)
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await page.getByRole('link', { name: /^ada@/ }).waitFor()
  t.match(page.url(), /#\/mail$/, 'other views have other filters')

  await open('#/requests?operation=unmatched')
  await waitForText('1 of 5 exchanges')
  await page.getByRole('link', { name: /no-such-route/ }).waitFor()
  await page.getByRole('searchbox').fill('zzz')
  await page.getByText('No request matches the filters.').waitFor()
  await page.getByRole('searchbox').fill('GET '.repeat(21))
  await page.getByRole('alert').getByText("'search' has 21 words").waitFor()
  await waitForText('0 of 5 exchanges')
  await page.getByRole('searchbox').fill('zzz')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await waitForText('5 exchanges')
  await page.waitForURL(/#\/requests$/)
  await status.selectOption('400')
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.waitForURL(/#\/requests\?status=400$/)
})
