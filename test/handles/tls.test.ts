import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { FAULTS } from '../../src/engine/files/scenario.js'
import { connect, startMockServer } from '../../src/index.js'
import { folder } from '../binary.js'
import { sharedBrowser, skipWithoutBrowser } from '../browser.js'
import { run, serve } from '../command-line.js'
import { requestOf } from '../helper.js'
import { untilClosed } from '../wire.js'

const OPENSSL = '/usr/bin/openssl'
const skip = existsSync(OPENSSL) ? false : `there is no ${OPENSSL}`
const histories = requestOf(listCreditHistories)

function certificates(t: Test): string {
  const cwd = folder(t, { 'none.pem': 'none', 'empty.pem': '', 'folder/x': '' })
  const openssl = (line: string) => execFileSync(OPENSSL, line.split(' '), { cwd, stdio: 'pipe' })
  const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'
  openssl(`req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 ${names}`)
  openssl('genrsa -out other.pem 2048')
  openssl('rsa -aes128 -passout pass:secret -in other.pem -out locked.pem')
  return cwd
}

function call(url: string, ca: string, { method, headers, payload }: Partial<ReturnType<typeof requestOf>> = {}) {
  return new Promise<{ status: unknown; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: headers as never, ca, agent: new Agent() }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
    sent.setTimeout(/TIMEOUT/.test(`${headers?.prefer}`) ? 1_000 : 30_000, () => sent.destroy(new Error('silent')))
    sent.on('error', reject).end(payload)
  })
}

t.test('over https, the banner, links and faults work', { skip }, async (t) => {
  const cwd = certificates(t)
  const ca = readFileSync(join(cwd, 'cert.pem'), 'utf8')
  const { url, out } = await serve(t, ['--tls-cert', 'cert.pem', '--tls-key', './key.pem'], { cwd })
  t.match(url, /^https:\/\/127\.0\.0\.1:\d+$/)
  t.notMatch(out(), 'http://', 'the banner has only https URLs')
  t.match(await call(url + histories.url, ca, histories), { status: 200 })
  // A TLS alert: the certificate authority is unknown.
  await untilClosed(Number(new URL(url).port), Buffer.from([0x15, 3, 1, 0, 2, 2, 48]))
  const { requests } = JSON.parse((await call(`${url}/__admin/requests`, ca)).body)
  t.match(
    requests[0],
    { violations: [{ code: 'unreadable-request', fix: /trust the certificate/ }] },
    'the journal reports the missing trust',
  )
  const invitation = requestOf(addOrganizationMember)
  t.match(await call(url + invitation.url, ca, invitation), { status: 200 }, 'a form arrives')
  const { body } = await call(`${url}/__admin/outbox`, ca)
  t.match(JSON.parse(body).messages[0].links.accept, `${url}/invitations/`, 'links use https')
  const reasons: Record<(typeof FAULTS)[number], RegExp> = {
    CONNECTION_RESET_BY_PEER: /ECONNRESET|socket hang up/,
    EMPTY_RESPONSE: /socket hang up|ECONNRESET/,
    MALFORMED_RESPONSE_CHUNK: /Parse Error|aborted/,
    RANDOM_DATA_THEN_CLOSE: /Parse Error/,
    TIMEOUT: /silent/,
  }
  for (const fault of FAULTS) {
    const headers = { ...histories.headers, prefer: `fault=${fault}` }
    await t.rejects(call(url + histories.url, ca, { headers }), { message: reasons[fault] }, fault)
  }
})

t.test(
  'a browser that ignores the certificate leaves no violation',
  { skip: skip || skipWithoutBrowser },
  async (t) => {
    const { url } = await serve(t, ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'], { cwd: certificates(t) })
    const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true })
    t.teardown(() => context.close())
    const page = await context.newPage()
    await page.goto(`${url}/__admin/`)
    const journal = await page.evaluate("fetch('requests').then((answer) => answer.json())")
    t.strictSame(journal, { requests: [], meta: { total: 0 } })
  },
)

t.test('an unusable certificate or key stops the start, and the message quotes the paths', { skip }, async (t) => {
  const cwd = certificates(t)
  for (const [line, message] of [
    ['--tls-cert cert.pem', '--tls-cert needs --tls-key.'],
    ['--tls-cert none.pem --tls-key key.pem', /'none\.pem' and '.*key\.pem' are not /],
    ['--tls-cert cert.pem --tls-key cert.pem', /'cert\.pem' and '.*cert\.pem' are not /],
    ['--tls-cert cert.pem --tls-key other.pem', /'cert\.pem' and '.*other\.pem' are not .*key values mismatch/i],
    ['--tls-cert cert.pem --tls-key locked.pem', /'locked\.pem' are not .* without a passphrase/],
    ['--tls-cert folder --tls-key key.pem', /^countersign: folder: /],
    ['--tls-cert empty.pem --tls-key empty.pem', /'empty\.pem' and '.*empty\.pem' are not /],
  ] as const) {
    const { code, err } = await run(t, ['start', '--port', '0', ...line.split(' ')], { cwd })
    t.match({ code, err, lines: err.trim().split('\n').length }, { code: 1, err: message, lines: 1 }, line)
  }
  const missingCert = { name: 'InvalidOption', message: /tls\.key needs tls\.cert/ }
  await t.rejects(startMockServer({ port: 0, tls: { key: 'gone.pem' } as never }), missingCert)
  const [cert, key, other] = ['cert', 'key', 'other'].map((name) => readFileSync(join(cwd, `${name}.pem`), 'utf8'))
  const mixed = { cert, key: other } as { cert: string; key: string }
  await t.rejects(startMockServer({ port: 0, tls: mixed }), { message: /^tls.cert and tls.key are not a PEM/ })
  await using mock = await startMockServer({ port: 0, tls: { ...mixed, key: key as string } })
  t.match(mock.url, /^https:/, 'PEM texts are accepted')
  await once(connectTcp(Number(new URL(mock.url).port), '127.0.0.1'), 'connect')
  const start = performance.now()
  await mock.close()
  t.ok(performance.now() - start < 6_000, 'a connection without a handshake does not keep the server from closing')
})

t.test('the handle trusts its server’s certificate; connect trusts what Node trusts', { skip }, async (t) => {
  const cwd = certificates(t)
  const openssl = 'req -x509 -newkey rsa:2048 -nodes -keyout own-key.pem -out own.pem -days 2 -subj /CN=elsewhere.test'
  execFileSync(OPENSSL, openssl.split(' '), { cwd, stdio: 'pipe' })
  for (const [cert, key] of [
    ['cert.pem', 'key.pem'],
    ['own.pem', 'own-key.pem'],
  ] as const) {
    await using mock = await startMockServer({ port: 0, tls: { cert: join(cwd, cert), key: join(cwd, key) } })
    const sandbox = await mock.sandbox('a')
    const end = await sandbox.on('exchange', () => {})
    end()
    await sandbox.reset()
    t.strictSame(await sandbox.requests(), [], cert)
    t.equal((await sandbox.fetch(histories.url)).status, 401, 'its fetch trusts it, too')
    const untrusted = /^The certificate of .* was rejected \(.*CERT.*\)\. If you trust .* set NODE_EXTRA_CA_CERTS /
    await t.rejects(connect(mock.adminUrl), { message: untrusted }, cert)
  }
})
