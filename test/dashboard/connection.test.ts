import { createServer, request } from 'node:http'
import type { Test } from 'tap'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { listen } from '../forward/provider.js'
import { build } from '../helper.js'
import { copy, flow, waitForSwitch } from './page.js'

flow('keep working while the server restarts', { settings: {} }, async (t, { page, url, server, send }) => {
  const bar = page.getByRole('banner')
  await send(addOrganizationMember)
  await page.getByRole('link', { name: /addOrganizationMember:200/ }).waitFor()
  await bar.getByText('Live', { exact: true }).waitFor()
  await server.close()
  await bar.getByText('Connection lost, trying again …').waitFor()
  await page.getByRole('link', { name: /addOrganizationMember:200/ }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('alert').getByText('The server does not answer.').waitFor()

  const restarted = await build(t, { port: Number(new URL(url).port) })
  await restarted.listen()
  await bar.getByText('Live', { exact: true }).waitFor()
  await page.getByText('No requests yet').waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await send(uploadSignature)
  await page.getByRole('link', { name: /uploadSignature:200/ }).waitFor()
})

flow('open more windows than a browser allows connections', { onlyAt: 1280 }, async (_, { page, context, send }) => {
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
  await Promise.all(others.map((other) => other.goto(page.url())))
  await send(uploadSignature)
  for (const window of [page, ...others]) {
    await window.getByText('Live', { exact: true }).waitFor()
    await window.getByRole('link', { name: /uploadSignature:200/ }).waitFor()
  }
  await page.goto('about:blank')
  await send(addOrganizationMember)
  for (const other of others) await other.getByRole('link', { name: /addOrganizationMember:200/ }).waitFor()
  for (const other of others) await other.close()
  await page.goBack()
  await page.getByRole('link', { name: /addOrganizationMember:200/ }).waitFor()
})

flow('see why a click failed', { at: '#/outcomes' }, async (t, { page, context, admin }) => {
  const name = 'addOrganizationMember:500'
  const full = { status: 507, contentType: 'application/problem+json', body: '{"detail":"The disk is full."}' }
  await context.route('**/scenarios/*', (route) => route.fulfill(full))
  await page.getByRole('switch', { name }).click()
  await page.getByRole('alert').getByText('The disk is full.').waitFor()
  await waitForSwitch(page, name, false)
  await context.unroute('**/scenarios/*')
  await context.route('**/scenarios/*', (route) => route.fulfill({ status: 502, body: '<html>' }))
  await page.getByRole('switch', { name }).click()
  await page.getByRole('alert').getByText('The server answered 502.').waitFor()
  t.strictSame(await admin.active(), [])
  await context.unroute('**/scenarios/*')
  await page.getByRole('switch', { name }).click()
  await waitForSwitch(page, name, true)
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

flow('use the dashboard behind a proxy', { onlyAt: 1280 }, async (t, { page, url, sandbox, open, send }) => {
  await send(listCreditHistories)
  const proxied = await proxy(t, new URL(url).origin)
  await page.goto(`${proxied}/mock/~${sandbox}/__admin/`)
  await page.getByRole('link', { name: /listCreditHistories:200/ }).click()
  t.match(await copy(page, 'curl'), `/~${sandbox}/`, 'curl calls the sandbox')
  await page.getByRole('link', { name: 'Sandboxes' }).click()
  t.equal(await copy(page.getByRole('row', { name: /^root/ }), 'Copy URL'), `${proxied}/mock`)
  await page.getByRole('row', { name: /^root/ }).getByRole('link').click()
  await page.waitForURL(`${proxied}/mock/__admin/`)
  await page.getByRole('link', { name: 'Docs' }).click()
  await page.waitForURL(`${proxied}/mock/__admin/docs`)
  await page.getByRole('link', { name: 'Scenarios' }).click()
  await page.waitForURL(`${proxied}/mock/__admin/#/scenarios`)
  await open('')
})

async function proxy(t: Test, target: string): Promise<string> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const path = url.replace(/^\/mock/, '')
    const forwarded = request({ hostname, port, method, path, headers: { ...headers, 'x-forwarded-prefix': '/mock' } })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  return `http://127.0.0.1:${await listen(t, server)}`
}
