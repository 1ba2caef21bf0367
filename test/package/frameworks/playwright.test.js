import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startMockServer } from 'countersign'
import { bin, run, scratch } from '../integrations/scratch.js'

const config = (use = {}, projects) =>
  `export default { testMatch: '*.spec.js', workers: 2, reporter: 'json', ...${JSON.stringify({ use, projects })} }`
const spec = (...tests) => `import { expect, test } from 'countersign/playwright'\n${tests.join('\n')}`

async function playwright(t, files, env) {
  const { code, out, err } = await run(scratch(t, files), [bin('playwright'), 'test'], env)
  const report = JSON.parse(out.slice(out.indexOf('{')))
  const specs = report.suites.flatMap(({ specs }) => specs)
  const results = specs.map(({ title, tests }) => [title, tests[0].results.at(-1)])
  return { code, err, errors: report.errors, results: Object.fromEntries(results) }
}

const PATH_ONLY = `test('path', async ({ request, countersign }) => {
  for (const send of ['get', 'post', 'put', 'patch', 'delete', 'head', 'fetch'])
    await request[send]('/api/v2/credits/histories')
  expect(await countersign.requests()).toHaveLength(7)
})`
const PAGE_REQUEST = `test('page', async ({ page, countersign, countersignServer }) => {
  await expect(page.request.get('/api/v2/credits/histories')).rejects.toThrow()
  await page.goto(countersignServer.url + '/api/v2/credits/histories')
  expect(await countersign.requests()).toMatchObject([{ sandboxBy: 'header' }])
})`

test('the journal is attached only to a test that fails unexpectedly', async (t) => {
  const { code, results } = await playwright(t, {
    'playwright.config.js': config(),
    'a.spec.js': spec(
      "test('fails', async ({ request }) => { await request.get('/api/v2/credits/histories?page=0'); expect(1).toBe(2) })",
      "test('passes', async ({ request }) => { await request.get('/api/v2/credits/histories') })",
      "test('should fail', async ({ request }) => { test.fail(); expect(1).toBe(2) })",
    ),
  })
  assert.equal(code, 1)
  const [text, journal] = ours(results.fails).map(({ body }) => Buffer.from(body, 'base64').toString())
  assert.match(text, /401 listCreditHistories:401\n +violation, documented: .*\n +fix: /)
  assert.equal(JSON.parse(journal)[0].outcome, 'listCreditHistories:401')
  assert.deepEqual(ours(results.passes), [])
  assert.deepEqual(ours(results['should fail']), [])
})

test('a request by path goes to the sandbox or fails, with any base URL', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.after(() => mock.close())
  const bases = [undefined, mock.url, `${mock.url}/`, mock.url.replace('127.0.0.1', 'localhost')]
  const projects = [
    ...bases.map((baseURL) => ({ name: `${baseURL}`, use: { baseURL } })),
    { name: 'no page', use: { baseURL: 'http://127.0.0.1:9/app/' }, testMatch: 'path.spec.js' },
  ]
  const { code, err, results } = await playwright(
    t,
    {
      'playwright.config.js': config(browser(), projects),
      'path.spec.js': spec(PATH_ONLY),
      ...(!needsBrowser() && { 'page.spec.js': spec(PAGE_REQUEST) }),
    },
    { COUNTERSIGN_ADMIN_URL: mock.adminUrl },
  )
  assert.equal(code, 0, `${err}${JSON.stringify(results)}`)
  assert.equal((await mock.requests()).length, 0, 'nothing reached the root')
})

/** Playwright adds its own attachments. */
const ours = ({ attachments }) => attachments.filter(({ name }) => name.startsWith('countersign'))

const CHROMIUM = process.env.CHROMIUM
const needsBrowser = () => CHROMIUM === undefined
const browser = () =>
  CHROMIUM === undefined ? {} : { launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] } }

test('a spec cannot use the mock as its base URL, but can use an app at another address of this machine', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.after(() => mock.close())
  const env = { COUNTERSIGN_ADMIN_URL: mock.adminUrl }
  const mockSpec = spec(`test.use({ baseURL: '${mock.url}' })`, "test('any', async ({ countersign }) => {})")
  const { results } = await playwright(t, { 'playwright.config.js': config(), 'a.spec.js': mockSpec }, env)
  assert.match(JSON.stringify(results.any.errors), /paths would not go to the sandbox/)
  const app = mock.url.replace('127.0.0.1', '127.0.0.2')
  const appSpec = spec(`test('app', async ({ baseURL }) => expect(baseURL).toBe('${app}'))`)
  const other = await playwright(t, { 'playwright.config.js': config({ baseURL: app }), 'a.spec.js': appSpec }, env)
  assert.equal(other.code, 0, JSON.stringify(other.results))
})

test('options reach the server of the worker, and an error explains an unreachable server', async (t) => {
  const options = "test.use({ countersignOptions: { clock: '2026-01-15T09:30:00Z', adminToken: 'secret' } })"
  const clockTest =
    "test('clock', async ({ countersign }) => expect((await countersign.clock.now()).toISOString()).toBe('2026-01-15T09:30:00.000Z'))"
  const files = { 'playwright.config.js': config(), 'a.spec.js': spec(options, clockTest) }
  assert.equal((await playwright(t, files)).code, 0)
  const failed = await playwright(t, files, { COUNTERSIGN_ADMIN_URL: 'http://127.0.0.1:9/__admin' })
  assert.match(JSON.stringify(failed.results.clock.errors), /No server answers at http:\/\/127\.0\.0\.1:9\/__admin/)
})

/** An app that shows the sandbox header of its requests, and another origin that allows no header. */
async function origins(t) {
  const seen = []
  const serve = async (answer) => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    return `http://127.0.0.1:${server.address().port}`
  }
  const app = await serve(({ headers, url }, response) => {
    const sandbox = headers['x-mock-sandbox'] ?? ''
    if (url !== '/events') return response.setHeader('content-type', 'text/html').end(`<p>${sandbox}</p>`)
    return response.setHeader('content-type', 'text/event-stream').write(`data: ${sandbox}\n\n`)
  })
  const other = await serve(({ method, headers }, response) => {
    seen.push(`${method} ${headers['x-mock-sandbox']}`)
    if (method === 'GET') response.setHeader('access-control-allow-origin', '*')
    response.end('{}')
  })
  return { app, other, seen }
}

const ALL_REQUESTS = `
const NAME = 'x-mock-sandbox'
const shows = async (page, app, { headers }) => {
  await page.goto(app)
  await expect(page.locator('p')).toHaveText(headers[NAME])
}
test('pages', async ({ page, request, baseURL, countersign }) => {
  await shows(page, APP, countersign)
  await page.evaluate((url) => fetch(url).then((response) => response.json()), OTHER)
  const read = () => new Promise((resolve) => {
    new EventSource('/events').onmessage = ({ data }) => resolve(data)
  })
  expect(await page.evaluate(read)).toBe(countersign.headers[NAME])
  for (const requests of [page.request, ...(baseURL ? [request] : [])])
    expect(await (await requests.get(APP)).text()).toContain(countersign.headers[NAME])
})
test('routes', async ({ page, countersign }) => {
  await page.route('**/mine', (route) => route.fulfill({ body: 'mine' }))
  await page.route('**/theirs', (route) => route.fallback())
  await page.goto(APP)
  const get = (path) => page.evaluate((path) => fetch(path).then((response) => response.text()), path)
  expect(await get('/mine')).toBe('mine')
  expect(await get('/theirs')).toContain(countersign.headers[NAME])
})
test('contexts', async ({ browser, countersign }) => {
  for (const options of [{}, { locale: 'de' }, { extraHTTPHeaders: { 'x-own': '1' } }]) {
    const context = await browser.newContext(options)
    await shows(await context.newPage(), APP, countersign)
    await context.close()
  }
  const page = await browser.newPage()
  await shows(page, APP, countersign)
  await page.close()
})
`

test('every page sends the header to the app, and to no other origin', { skip: needsBrowser() }, async (t) => {
  const { app, other, seen } = await origins(t)
  const names = `const [APP, OTHER] = ${JSON.stringify([app, other])}`
  const projects = [{ name: 'with a base URL', use: { baseURL: app } }, { name: 'without' }]
  const files = { 'playwright.config.js': config(browser(), projects), 'a.spec.js': spec(names, ALL_REQUESTS) }
  const { code, err, results } = await playwright(t, files)
  assert.equal(code, 0, `${err}${JSON.stringify(results)}`)
  assert.deepEqual(seen, ['GET undefined', 'GET undefined'])
})

test('an origin in countersignOptions gets the header', { skip: needsBrowser() }, async (t) => {
  const { app, other, seen } = await origins(t)
  const named = `test.use({ countersignOptions: { origins: ['${other}'] } })`
  const call = `test('call', async ({ page }) => { await page.goto('${app}'); await page.evaluate((url) => fetch(url), '${other}') })`
  const files = { 'playwright.config.js': config({ ...browser(), baseURL: app }), 'a.spec.js': spec(named, call) }
  const { code, results } = await playwright(t, files)
  assert.equal(code, 0, JSON.stringify(results))
  assert.match(seen.at(-1), /^GET test-/)
})

test('a call that reaches the root causes a hint', async (t) => {
  const root = `test('root', ({ countersignServer }) => countersignServer.fetch('/api/v2/credits/histories'))`
  const files = { 'playwright.config.js': config().replace('json', 'line'), 'a.spec.js': spec(root) }
  const { out, err } = await run(scratch(t, files), [bin('playwright'), 'test'])
  assert.match(
    `${out}${err}`,
    /1 of the requests used the root in place of a test's sandbox, the first one GET \S*histories/,
  )
})

test('a test without pages starts no browser', async (t) => {
  const use = { launchOptions: { executablePath: '/nowhere' } }
  const files = { 'playwright.config.js': config(use), 'a.spec.js': spec(PATH_ONLY) }
  assert.equal((await playwright(t, files)).code, 0)
})
