import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { addressOf, CLI, folder, launch, serve as serveBinary, until } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetchUrl, formOf, requestOf } from '../helper.js'

const HISTORIES = requestOf(listCreditHistories).url
const AUTHORIZED = { headers: { authorization: 'Bearer token-admin' } }

t.test('each exchange is a line, with its violations and their fixes below', async (t) => {
  const { url, out } = await serve(t)
  const { path } = listCreditHistories
  const call = (path: string, headers = {}) =>
    fetch(url + path, { headers: { ...AUTHORIZED.headers, ...headers } }).catch(() => undefined)
  await call(`${path}?user_type=ENTERPRISE_API&page=2&sort=created+at`)
  await call(`/~worker%2D1${path}?page=1`, { prefer: 'code=503' })
  await call(`${path}?page=1`, { prefer: 'fault=EMPTY_RESPONSE' })
  await call(`${path}?q=${'x'.repeat(500)}`, { prefer: 'code=418' })
  await call(`${path}?token=very-secret-token`)
  await call('/nowhere%1b%5bAll%0a?token=very-secret-token')
  await fetch(`${url}${path}?__expect=401`)
  await fetch(`${url}/__admin/scenarios/empty-account`, { method: 'PUT' })
  await call(`${path}?page=1`)
  const log = await until(() => (out().includes('scenario empty-account#1') ? out() : undefined))
  const lines = log.replace(/^\d\d:\d\d:\d\d {2}/gm, 'TIME  ').replace(/\d+ ms$/gm, 'N ms')
  for (const [label, line] of Object.entries({
    'an answer of the operation': `TIME  GET ${path}?page=2&sort=created at  400 listCreditHistories:400  N ms`,
    'a preferred answer': `TIME  GET /~worker%2D1${path}?page=1  503 gateway:503  prefer  N ms`,
    'a fault': `TIME  GET ${path}?page=1  EMPTY_RESPONSE  prefer  N ms`,
    'the scenario and its rule': `TIME  GET ${path}?page=1  200 listCreditHistories:200  scenario empty-account#1  N ms`,
    'an answer that only the mock gives': 'TIME  GET /nowhere%1b%5bAll%0a?token=[redacted]  404 no-such-route  N ms',
    'the fix of a violation': '          fix: Send it in the query: ?page=1',
  }))
    t.match(lines, `\n${line}\n`, label)
  t.match(lines, /\n {10}violation, documented: The query parameter 'page' .*\n {10}fix/, 'a violation')
  t.match(lines, /\n {10}expected violation, documented: The user token/, 'an expected violation')
  t.match(lines, /\n {10}violation, suspicious: listCreditHistories does not declare 418\./, 'an undeclared status')
  t.ok(Math.max(...(lines.match(/^TIME.*$/gm) ?? []).map(({ length }) => length)) <= 160, 'long queries are cut')
  t.notMatch(lines, /very-secret|\u001b/, 'no token and no escape sequence')
  t.notMatch(lines, '__admin/scenarios', 'admin calls are not logged')
})

t.test('the log has no character that moves the cursor or reverses text', async (t) => {
  const { url, out } = await serve(t)
  const body = formOf({ code: 'x', user_uuid: '\u001b[2J\u202e' })
  const path = '/api/v2/verifications/document/verify?user_type=\u009b31m\u202e'
  await fetch(url + path, { method: 'POST', body, ...AUTHORIZED })
  const lines = await until(() => (out().includes('verifyDocument:400') ? out() : undefined))
  t.notMatch(lines, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
})

t.test('the log is off with --no-log-requests and in exec', async (t) => {
  const { url, out } = await serve(t, ['--no-log-requests'])
  await fetch(url + HISTORIES, AUTHORIZED)
  await fetch(url + HISTORIES, AUTHORIZED)
  t.notMatch(out(), 'listCreditHistories:200', '--no-log-requests')
  const script = `await fetch(process.env.COUNTERSIGN_URL + ${JSON.stringify(HISTORIES)})`
  const exec = (...args: string[]) =>
    run(t, ['exec', ...args, '--', process.execPath, '--input-type=module', '-e', script])
  const quiet = await exec()
  t.notMatch(quiet.out + quiet.err, 'ms\n', 'off in exec')
  const loud = await exec('--log-requests')
  t.match(loud.err, /401 listCreditHistories:401 {2}\d+ ms\n/, 'on with --log-requests, on standard error')
  t.equal(loud.out, quiet.out, 'standard output is the child’s')
})

t.test('the banner shows neither a token nor the address of a closed admin API', async (t) => {
  const guarded = await serve(t, ['--admin-token', 'letmein'])
  t.notMatch(guarded.out(), 'letmein', 'the token is not shown')
  const closed = await serve(t, ['--host', '0.0.0.0'])
  t.match(closed.out(), /admin +closed: .* 0\.0\.0\.0 without a token\. Set --admin-token to open it\n/)
  t.notMatch(closed.out(), '/__admin', 'its URL is not shown')
})

t.test('a mail that cannot be delivered is reported', async (t) => {
  const { url, out } = await serve(t, ['--smtp', 'smtp://user:hidden-password@127.0.0.1:1'])
  const { url: path, payload, ...rest } = requestOf(addOrganizationMember)
  t.match(await fetchUrl(url + path, { ...rest, body: payload } as RequestInit), { status: 200 })
  const line = await until(() => /The mail to .*/.exec(out())?.[0])
  t.match(line, /^The mail to ada@example\.test could not be delivered: .*ECONNREFUSED.*\.$/m)
  t.notMatch(out(), 'hidden-password')
})

t.test('the banner has a line to paste for each operation', async (t) => {
  const { url, out } = await serveBinary(t)
  await until(() => out().includes('/link?email='))
  t.match(out(), `${url}/~NAME`, 'the real address is in the banner')
  const lines = out().match(/^ +curl .*$/gm) ?? []
  t.equal(lines.length, contracts.length, 'each operation has a line')
  for (const [at, line] of lines.entries()) {
    const { out, err } = await launch(t, 'sh', ['-c', `${line} -sS -w ' %{http_code}'`]).ended
    t.match(out, / 200$/, `the line for ${contracts[at]?.id} succeeds`, { err })
  }
})

/** Records each host that a program looks up or connects to, except this machine. */
const RECORD = `
const { appendFileSync } = require('node:fs')
const dns = require('node:dns')
const net = require('node:net')
const record = (host) => appendFileSync(process.env.HOSTS_FILE, host + '\\n')
const isHere = (host) => host === undefined || /^(localhost|127\\.|::1$)/.test(host)
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  for (const owner of [dns, dns.promises]) {
    const original = owner[name]
    owner[name] = (host, ...rest) => {
      if (!isHere(host)) record(host)
      return original.call(owner, host, ...rest)
    }
  }
}
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  if (typeof options === 'object' && !options.path && !isHere(options.host)) record(options.host)
  return connect.apply(this, args)
}
`

t.test('the server contacts no other machine', async (t) => {
  const cwd = folder(t, { 'hosts.cjs': RECORD, 'child.mjs': 'await (await fetch(process.env.COUNTERSIGN_URL)).text()' })
  const hosts = join(cwd, 'hosts')
  const node = (...args: string[]) =>
    launch(t, process.execPath, ['--require', './hosts.cjs', ...args], { cwd, env: { HOSTS_FILE: hosts } })
  const url = await addressOf(node(CLI, '--port', '0'))
  for (const path of ['', '/__admin/', '/__admin/docs', '/__admin/openapi.json', '/__admin/requests', '/api/v2/x'])
    await fetchUrl(url + path)
  for (const line of [
    'init',
    'validate',
    'list',
    'openapi',
    `health ${url}`,
    `verify --target ${url} --token token-admin --only listCreditHistories`,
    `exec --allow-idle -- ${process.execPath} child.mjs`,
  ])
    t.match(await node(CLI, ...line.split(' ')).ended, { code: 0 }, line)
  t.notOk(existsSync(hosts), 'no host is recorded', { hosts: existsSync(hosts) && readFileSync(hosts, 'utf8') })
  node('--eval', `fetch('http://countersign.invalid').catch(() => {})`)
  const seen = await until(() => existsSync(hosts) && readFileSync(hosts, 'utf8'))
  t.match(seen, 'countersign.invalid', 'a lookup would be recorded')
})
