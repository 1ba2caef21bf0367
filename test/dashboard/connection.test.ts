import { createServer, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { listen } from '../forward/provider.js'
import { adminOf, build, send } from '../helper.js'
import { clipboard, count, fits, flip, focused, goTo, phone, press, sees, switched, visit } from './page.js'

visit('what changes elsewhere is shown', { at: '#/outcomes' }, async (t, { server, page }) => {
  const admin = (method: 'PUT' | 'POST' | 'PATCH', path: string, payload: object = {}) =>
    server.app.inject({ method, url: `/__admin/${path}`, payload })
  await switched(page, 'uploadSignature:422', false)
  await admin('PUT', 'scenarios/uploadSignature:422', { active: true })
  await switched(page, 'uploadSignature:422', true)
  await goTo(page, 'Scenarios')
  await admin('PUT', 'scenarios/from-a-test', { rules: [{ on: '*', answer: { status: 503 } }], active: true })
  await switched(page, 'from-a-test', true)
  await goTo(page, 'State')
  await page.getByRole('link', { name: /^organizations/ }).click()
  await sees(page, '3 records')
  const organization = { id: 7, uuid: '00000000-0000-4000-8000-000000000007', name: 'From a test' }
  await admin('PATCH', 'state', { organizations: [organization] })
  await sees(page, 'From a test')
  await admin('POST', 'reset')
  await sees(page, '3 records')
  await goTo(page, 'Scenarios')
  await page.getByRole('switch', { name: 'invitation-conflicts', exact: true }).waitFor()
  t.equal(await page.getByRole('switch', { name: 'from-a-test', exact: true }).count(), 0, 'a reset shows, too')
})

const lost = { expected: /Failed to load resource|ERR_/ }

visit('a restart is survived: it says so, tries again and catches up', lost, async (t, visit) => {
  const { server: first, url, page } = visit
  const bar = page.getByRole('banner')
  for (const contract of [addOrganizationMember, listCreditHistories]) await send(first, contract)
  await sees(page, 'listCreditHistories:200')
  await bar.getByText('Live').waitFor()
  await first.close()
  await bar.getByText('Connection lost').waitFor()
  await sees(page, 'listCreditHistories:200')

  await goTo(page, 'Outcomes')
  await goTo(page, 'Requests')
  const second = await build(t, { port: Number(new URL(url).port) })
  await second.listen()
  await bar.getByText('Live').waitFor()
  await sees(page, 'No requests yet')
  await send(second, uploadSignature)
  await count(page.locator('.exchanges > li'), 1)
  await sees(page, 'uploadSignature:200')
})

const failing = { at: '#/outcomes', expected: /status of 507|ERR_FAILED/ }

visit('a click that fails leaves the switch as it was, and says why', failing, async (t, visit) => {
  const { server, page, context } = visit
  const name = 'addOrganizationMember:500'
  await switched(page, name, false)
  await context.route('**/scenarios/*', (route) =>
    route.fulfill({ status: 507, contentType: 'application/problem+json', body: '{"detail":"The disk is full."}' }),
  )
  await page.getByRole('switch', { name, exact: true }).click()
  await sees(page, 'The disk is full.')
  await switched(page, name, false)
  await context.unroute('**/scenarios/*')
  await context.route('**/scenarios/*', (route) => route.abort())
  await page.getByRole('switch', { name, exact: true }).click()
  await sees(page, 'The server cannot be reached.')
  await switched(page, name, false)
  t.equal((await adminOf(server).active()).length, 0, 'the server has it so')
})

const guarded = { settings: { adminToken: 'secret' }, expected: /status of 401/ }

visit('with an admin token, a visitor who is no longer signed in is asked for it', guarded, async (_, visit) => {
  const { server, page, context } = visit
  const signIn = async () => {
    await page.getByLabel('Token').fill('secret')
    await press(page, 'Open')
  }
  await signIn()
  await sees(page, 'No requests yet')
  await goTo(page, 'Outcomes')
  await sees(page, '0 of 32 met')
  await context.clearCookies()
  await send(server, listCreditHistories)
  await signIn()
  await sees(page, '1 of 32 met')
})

visit('a page that is hidden has no connection', {}, async (_, { server, page, context }) => {
  const hide = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByRole('banner').getByText('Live').waitFor()
  const connects = page.waitForRequest(/events/)
  for (const hidden of [true, false]) await hide(hidden)
  await connects
  await send(server, listCreditHistories)
  await sees(page, 'listCreditHistories:200')
  await context.route('**/events?*', () => {})
  await page.reload()
  await page.getByRole('banner').getByText('Connecting …').waitFor()
})

visit('it works below the prefix of a proxy, in a sandbox and at the root', {}, async (t, { server, url, page }) => {
  const proxied = await proxy(t, url)
  await send(server, listCreditHistories, { sandbox: 'w-1' })
  await page.goto(`${proxied}/mock/~w-1/__admin/`)
  await sees(page, 'listCreditHistories:200')
  await page.getByText('listCreditHistories:200').click()
  await focused(page, 'h2')
  await press(page, 'curl')
  await page.getByText('Copied').waitFor()
  t.match(await clipboard(page), /~w-1/, 'curl calls the sandbox')
  await goTo(page, 'Sandboxes')
  await page.getByRole('row', { name: /^root/ }).getByRole('link').click()
  await page.waitForURL(`${proxied}/mock/__admin/`)
  await sees(page, 'No requests yet')
  await goTo(page, 'Docs')
  await page.waitForURL(`${proxied}/mock/__admin/docs`)
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Scenarios' }).click()
  await page.waitForURL(`${proxied}/mock/__admin/#/scenarios`)
  await flip(page, 'rate-limited', true)
})

async function proxy(t: Test, target: string): Promise<string> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const path = url.replace(/^\/mock/, '')
    const onward = request({ hostname, port, method, path, headers: { ...headers, 'x-forwarded-prefix': '/mock' } })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  return `http://127.0.0.1:${await listen(t, server)}`
}

const PLACES = `Array.from(document.querySelectorAll('nav[aria-label=Dashboard] a'), (one) => {
  const { left, top } = one.getBoundingClientRect()
  return [left, top]
})`

visit('the bar is the same on every page', { look: phone }, async (t, { server, url, page }) => {
  await send(server, addOrganizationMember)
  await send(server, listCreditHistories, { sandbox: 'w-1' })
  const navigation = page.getByRole('navigation', { name: 'Dashboard' })
  let first: number[][] | undefined
  for (const name of ['Requests', 'Outcomes', 'Scenarios', /^Mail/, 'State', 'Sandboxes', 'Docs']) {
    await navigation.getByRole('link', { name }).click()
    await navigation.getByRole('link', { name }).and(page.locator('[aria-current=page]')).waitFor()
    await page.getByTitle('1 unread').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const places = (await page.evaluate(PLACES)) as number[][]
    first ??= places
    const moved = places.flat().map((one, at) => Math.abs(one - (first?.flat()[at] ?? 0)))
    t.ok(Math.max(...moved) <= 2, `${name}: no link moves`)
    t.equal(new Set(places.map(([, top]) => top)).size, 1, `${name}: the links are one row`)
    t.ok(await fits(page), `${name}: nothing sticks out`)
  }

  await press(page, 'no scenarios on')
  await page.getByText('No scenario is active').waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['rate-limited', 'verifyDocument:404'])
    await server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}` })
  await press(page, '2 on')
  await flip(page, 'rate-limited', false)
  t.strictSame(await adminOf(server).active(), ['verifyDocument:404'], 'it is switched in Docs, too')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '1 on' }).waitFor()

  await press(page, 'root')
  await page.getByRole('link', { name: '~w-1' }).click()
  await page.waitForURL(`${url}/~w-1/__admin/docs`)
  await navigation.getByRole('link', { name: 'State' }).click()
  await press(page, '~w-1')
  await page.getByRole('link', { name: /^root/ }).click()
  await page.waitForURL(`${url}/__admin/#/state`)
})

/** Bytes of the page and all that it loads, compressed. */
const MOST = 61_440

t.test('the dashboard is small, and made of nothing but its own files', async (t) => {
  const { app } = await build(t)
  const files = ['', 'dashboard.css', 'dashboard.js']
  const answers = await Promise.all(files.map((file) => app.inject(`/__admin/${file}`)))
  const [page] = answers
  const statuses = answers.map(({ statusCode }) => statusCode)
  t.strictSame(statuses, [200, 200, 200], 'all of it is served')
  const size = answers.reduce((sum, { rawPayload }) => sum + gzipSync(rawPayload).length, 0)
  t.ok(size <= MOST, `it has ${size} bytes compressed`)
  const policy = page?.headers['content-security-policy']
  t.match(policy, /default-src 'none'; style-src 'self'; script-src 'self'/, 'strictly')
  t.notMatch(page?.body, /<style|style=|<script>|https?:/, 'the page has no style and no script in it')
  for (const { body } of answers)
    t.notMatch(body, /https?:\/\/(?!www\.w3\.org\/|json-schema\.org\/|countersign\.example\/)/, 'no other place')
})
