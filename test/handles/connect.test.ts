import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { connect, startMockServer } from '../../src/index.js'
import { launch, serve } from '../binary.js'

const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** Something that listens where a server is expected. */
async function service(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/__admin`
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const NOT_OURS = /is not the admin API of a countersign server/

/** What is not a server of ours, and what is said of it. */
const others: Readonly<Record<string, readonly [listener: RequestListener, says: RegExp]>> = {
  'a page': [(_, response) => response.end('<html>'), NOT_OURS],
  'a 404 in JSON': [json(404, { statusCode: 404, error: 'Not Found' }), NOT_OURS],
  'a 500 in JSON': [json(500, { message: 'broken' }), NOT_OURS],
  'a redirect': [(_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), NOT_OURS],
  'another mock': [json(200, { status: 'healthy', version: '3.9.1' }), NOT_OURS],
  'a version that is none': [json(200, { status: 'ok', sandbox: null, version: 1 }), NOT_OURS],
  null: [json(200, null), NOT_OURS],
  'another version': [
    json(200, { status: 'ok', sandbox: null, version: '7.1.0' }),
    /is countersign 7\.1\.0, but this package is \S+\. Install the same version on both sides/,
  ],
  'an answer that breaks off': [
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 20)
    },
    /No server answers at/,
  ],
}

t.test('what is no server of ours is told in a sentence', async (t) => {
  for (const [name, [listener, message]] of Object.entries(others))
    await t.rejects(connect(await service(t, listener)), { message }, name)
  await t.rejects(connect('http://127.0.0.1:9/__admin'), { message: 'No server answers at http://127.0.0.1:9' })
  for (const url of ['http://127.0.0.1:4010', '/__admin', 'ftp://host/__admin', 'http://host/~a/b/__admin?x'])
    await t.rejects(connect(url), { name: 'InvalidOption', message: /is not the URL of an admin API/ }, url)
  const nameless = connect('http://127.0.0.1:9/~a b/__admin')
  await t.rejects(nameless, { name: 'InvalidOption', message: /sandbox name/ }, 'a name that is none')
})

t.test('the admin token is asked for, and never shown', async (t) => {
  const mock = await startMockServer({ port: 0, adminToken: 'right' })
  t.teardown(() => mock.close())
  t.equal((await connect(mock.adminUrl, { adminToken: 'right' })).url, mock.url, 'the right one is taken')
  const asked = /requires its admin token\. Pass the token of its --admin-token/
  await t.rejects(connect(mock.adminUrl), { name: 'InvalidOption', message: asked }, 'none')
  await t.rejects(connect(mock.adminUrl, { adminToken: '' }), { message: asked }, 'an empty one')
  const wrong = connect(mock.adminUrl, { adminToken: 'wrong' })
  await t.rejects(wrong, { message: /does not accept this admin token/ }, 'a wrong one')
  const unprintable = connect(mock.adminUrl, { adminToken: 'a\nb' })
  await t.rejects(unprintable, { message: /^(?!.*a\nb).*printable ASCII/s }, 'one that is none')
  const misspelt = { adminTokn: 'right' } as object
  await t.rejects(connect(mock.adminUrl, misspelt), { message: /Did you mean 'adminToken'/ }, 'another option')
})

t.test('where admin is closed, that is said', async (t) => {
  const { url } = await serve(t, ['--host', '0.0.0.0'])
  await t.rejects(connect(`${url}/__admin`), { name: 'InvalidOption', message: /Admin is closed/ }, 'with the way out')
})

t.test('a listener is heard though nothing else keeps the process, which it does not keep either', async (t) => {
  const { url } = await serve(t)
  const script = `
    import { connect } from 'countersign'
    const mock = await connect('${url}/__admin')
    let heard
    const first = new Promise((resolve) => { heard = resolve })
    await mock.on('exchange', ({ outcome }) => heard(outcome))
    await mock.fetch('/api/v2/credits/histories')
    const waiting = setTimeout(() => {}, 5_000)
    console.log(await first)
    clearTimeout(waiting)`
  const { code, out, err } = await launch(t, process.execPath, ['--input-type=module', '--eval', script], { cwd }).ended
  t.match({ code, out }, { code: 0, out: 'listCreditHistories:401\n' }, 'it ends by itself', { err })
})

t.test('what a listener throws is its own, and changes no answer', async (t) => {
  const script = `
    import { connect, startMockServer } from 'countersign'
    process.on('uncaughtException', ({ message }) => console.log(message))
    const mock = await startMockServer({ port: 0 })
    const elsewhere = await connect(mock.adminUrl)
    for (const world of [mock, elsewhere]) await world.on('exchange', () => { throw new Error('mine') })
    for (const _ of [1, 2]) console.log((await mock.fetch('/api/v2/credits/histories')).status)
    await new Promise((later) => setTimeout(later, 100))
    await mock.close()
    process.exit()`
  const { out } = await launch(t, process.execPath, ['--input-type=module', '--eval', script], { cwd }).ended
  const lines = out.trim().split('\n')
  t.strictSame(lines.filter((line) => line === '401').length, 2, 'both calls are answered')
  t.strictSame(lines.filter((line) => line === 'mine').length, 4, 'each is thrown')
})
