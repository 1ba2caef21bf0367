import type { RequestListener } from 'node:http'
import t from 'tap'
import { connect, startMockServer } from '../../src/index.js'
import { serve } from '../binary.js'
import { answering, stub } from '../provider/stub.js'

const NOT_OURS = /is not the admin API of a countersign server/

/** What is not a server of ours, and what is said of it. */
const others: Readonly<Record<string, readonly [listener: RequestListener, says: RegExp]>> = {
  'a page': [(_, response) => response.end('<html>'), NOT_OURS],
  'a 404 in JSON': [answering(404, { statusCode: 404, error: 'Not Found' }), NOT_OURS],
  'a 500 in JSON': [answering(500, { message: 'broken' }), NOT_OURS],
  'a redirect': [(_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), NOT_OURS],
  'another mock': [answering(200, { status: 'healthy', version: '3.9.1' }), NOT_OURS],
  'a version that is none': [answering(200, { status: 'ok', sandbox: null, version: 1 }), NOT_OURS],
  null: [answering(200, null), NOT_OURS],
  'another version': [
    answering(200, { status: 'ok', sandbox: null, version: '7.1.0' }),
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
    await t.rejects(connect(`${await stub(t, listener)}/__admin`), { message }, name)
  const none = connect('http://127.0.0.1:9/__admin')
  await t.rejects(none, { message: /No server answers at http:\/\/127\.0\.0\.1:9/ }, 'none')
  for (const url of ['http://127.0.0.1:4010', '/__admin', 'ftp://host/__admin', 'http://host/~a/b/__admin?x'])
    await t.rejects(connect(url), { name: 'InvalidOption', message: /is not the URL of an admin API/ }, url)
  const named = connect('http://127.0.0.1:9/~a b/__admin')
  await t.rejects(named, { name: 'InvalidOption', message: /sandbox name/ }, 'a name')
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
  const broken = connect(mock.adminUrl, { adminToken: 'a\nb' })
  await t.rejects(broken, { message: /^(?!.*a\nb).*printable ASCII/s }, 'no token')
  const misspelt = { adminTokn: 'right' } as object
  await t.rejects(connect(mock.adminUrl, misspelt), { message: /Did you mean 'adminToken'/ }, 'another option')
})

t.test('where admin is closed, that is said', async (t) => {
  const { url } = await serve(t, ['--host', '0.0.0.0'])
  await t.rejects(connect(`${url}/__admin`), { name: 'InvalidOption', message: /Admin is closed/ }, 'with the way out')
})
