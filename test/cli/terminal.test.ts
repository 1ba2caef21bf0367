import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { BoundedWriter } from '../../src/text/bounded-writer.js'
import { folder, serve as serveBinary, until } from '../binary.js'
import { run, serve } from '../command-line.js'
import { requestOf } from '../helper.js'

const CONFIG = 'countersign.config.yaml'
const HISTORIES = requestOf(listCreditHistories).url
const AUTHORIZED = { headers: { authorization: 'Bearer token-admin' } }
const TIME = /^\d\d:\d\d:\d\d$/

/** The line of the log that has a text, in its columns. */
const columnsOf = (out: string, text: string) =>
  out
    .split('\n')
    .find((line) => line.includes(text))
    ?.split('  ') ?? []

t.test('each exchange is a line, with its violations and their fixes below', async (t) => {
  const { url, out } = await serve(t)
  const call = (path: string, init: RequestInit = AUTHORIZED) => fetch(url + path, init).catch(() => undefined)
  await call(HISTORIES)
  await call(`/~worker%2D1${HISTORIES}`, { headers: { ...AUTHORIZED.headers, prefer: 'code=503' } })
  await call(HISTORIES, { headers: { ...AUTHORIZED.headers, prefer: 'fault=EMPTY_RESPONSE' } })
  await call(`${listCreditHistories.path}?token=very-secret-token`)
  await call('/nowhere%1b%5bAll%0a?token=very-secret-token', {})
  await fetch(`${url}/__admin/scenarios/empty-account`, { method: 'PUT' })
  await call(HISTORIES)
  const lines = await until(() => (/scenario empty-account#1/.test(out()) ? out() : undefined))
  const [time, call1, answer, duration] = columnsOf(lines, 'listCreditHistories:200')
  t.match(time, TIME, 'the time of day')
  t.equal(call1, `GET ${listCreditHistories.path}`, 'method and path, without the query')
  t.equal(answer, '200 listCreditHistories:200', 'status and outcome')
  t.match(duration, /^\d+ ms$/, 'the duration; nothing where the operation answered by itself')
  const shown = columnsOf(lines, 'gateway:503').slice(1, 4)
  t.same(shown, [`GET /~worker%2D1${listCreditHistories.path}`, '503 gateway:503', 'prefer'])
  t.equal(columnsOf(lines, 'EMPTY_RESPONSE')[2], 'EMPTY_RESPONSE', 'a fault by its name')
  t.equal(columnsOf(lines, 'empty-account')[3], 'scenario empty-account#1', 'the scenario and its rule')
  t.match(lines, /\n {10}documented: The query parameter 'page' is missing: .*\n {10}fix: \?page=1\n/, 'and its fix')
  t.match(lines, /GET \/nowhere%1b%5bAll%0a {2}404 no-such-route/, 'what only the mock said')
  t.notMatch(lines, /very-secret|\u001b/, 'no token and no escape sequence')
  t.notMatch(lines, '__admin/scenarios', 'calls to admin are not in it')
})

t.test('a request that is meant to be wrong says so', async (t) => {
  const { url, out } = await serve(t)
  await fetch(`${url}${listCreditHistories.path}?__expect=401`)
  const told = await until(() => (out().includes('fix:') ? out() : undefined))
  t.match(told, /\n {10}expected, documented: The user token/)
})

t.test('nothing moves the cursor or turns text around', async (t) => {
  const { url, out } = await serve(t)
  const body = new FormData()
  body.append('code', 'x')
  body.append('user_uuid', '\u001b[2J\u202e')
  await fetch(`${url}/api/v2/verifications/document/verify?user_type=\u009b31m\u202e`, {
    method: 'POST',
    body,
    ...AUTHORIZED,
  })
  const lines = await until(() => (out().includes('verifyDocument:400') ? out() : undefined))
  t.notMatch(lines, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
})

t.test('the log is off where it is not wanted', async (t) => {
  const { url, out } = await serve(t, ['--no-log-requests'])
  await fetch(url + HISTORIES, AUTHORIZED)
  await fetch(url + HISTORIES, AUTHORIZED)
  t.notMatch(out(), 'listCreditHistories:200', '--no-log-requests')
  const script = `await fetch(process.env.COUNTERSIGN_URL + ${JSON.stringify(HISTORIES)})`
  const exec = (args: readonly string[]) =>
    run(t, ['exec', ...args, '--', process.execPath, '--input-type=module', '-e', script])
  const quiet = await exec([])
  t.notMatch(quiet.out + quiet.err, 'ms\n', 'off in exec')
  const loud = await exec(['--log-requests'])
  t.match(loud.err, /401 listCreditHistories:401 {2}\d+ ms\n/, 'on where it is asked for')
  t.equal(loud.out, quiet.out, 'which is its own')
})

t.test('an edit of the config turns it on and off', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'logRequests: false\n' })
  const { url, out } = await serve(t, [], { cwd })
  await fetch(url + HISTORIES, AUTHORIZED)
  await writeFile(join(cwd, CONFIG), 'log-requests: true\nactive: [service-down]\n')
  await until(() => out().includes('On now: service-down.'))
  await fetch(url + HISTORIES, AUTHORIZED)
  await until(() => out().includes('gateway:503'))
  t.notMatch(out(), 'listCreditHistories:200')
})

t.test('the banner tells what was read, what is on, and whether admin is open', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'active: [service-down, "gateway:429"]\n' })
  const read = await serve(t, [], { cwd })
  t.match(read.out(), /config file +countersign\.config\.yaml\n/)
  t.match(read.out(), /\n {2}on +service-down, gateway:429\n/)
  t.match(read.out(), /\n {2}admin +http:\S+\/__admin {3}open to this machine\n/)
  t.match(read.out(), new RegExp(`the dashboard +${read.url}/__admin/\n`))
  const bare = await serve(t, ['--admin-token', 'letmein'])
  t.match(bare.out(), /config file +none\n {2}on +no scenario\n/)
  t.match(bare.out(), /requires the token set with --admin-token\n/)
  t.notMatch(bare.out(), 'letmein', 'the token is not told')
  const closed = await serve(t, ['--host', '0.0.0.0'])
  t.match(closed.out(), /admin +closed: .* 0\.0\.0\.0 without a token\. Set --admin-token to open it\n/)
  t.notMatch(closed.out(), '/__admin', 'what is closed is not offered')
})

t.test('a start stops on any file that it cannot use, with every complaint about all of them', async (t) => {
  const files = {
    [CONFIG]: 'fixtures: fx.json\nactive:\n  - gone\n  - service-donw\n  - broken\n',
    'fx.json': '{ "users": 1 }',
    'scenarios/broken.yaml': 'rules: {',
    'scenarios/wrong.yaml': 'rules: [{ on: nope }]',
  }
  const wanted = [
    /countersign\.config\.yaml:3:5: There is no scenario 'gone'/,
    /countersign\.config\.yaml:4:5: There is no scenario 'service-donw'\. Did you mean 'service-down'/,
    /fx\.json:1:12: 'users' must be a list/,
    /scenarios\/broken\.yaml:1:\d+: /,
    /scenarios\/wrong\.yaml:1:\d+: .*not 'nope'/,
  ]
  const cwd = folder(t, files)
  const [started, executed, validated] = [
    await run(t, ['start', '--port', '0'], { cwd }),
    await run(t, ['exec', '--', 'true'], { cwd }),
    await run(t, ['validate'], { cwd }),
  ]
  for (const [what, { code, err, out }] of Object.entries({ started, executed, validated })) {
    t.match([code, out], [1, ''], `${what}: it fails`)
    for (const one of wanted) t.match(err, one, `${what}: ${one}`)
    t.equal(err.match(/There is no scenario/g)?.length, 2, `${what}: a broken file is told once`)
  }
  await writeFile(join(cwd, CONFIG), 'actve: []\n')
  const unreadable = await run(t, ['start'], { cwd })
  t.match(unreadable.err, /config\.yaml:1:1: The key 'actve' is unknown[\s\S]*scenarios\/broken\.yaml/, 'the others')
})

t.test('a mail that cannot be delivered is told', async (t) => {
  const { url, out } = await serve(t, ['--smtp', 'smtp://user:hidden-password@127.0.0.1:1'])
  const body = new FormData()
  for (const [name, value] of Object.entries({
    email: 'a@example.test',
    first_name: 'A',
    last_name: 'B',
    role: 'Member',
    organization_id: '1',
  }))
    body.append(`data[0][${name}]`, value)
  const path = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'
  t.equal((await fetch(url + path, { method: 'POST', body, ...AUTHORIZED })).status, 200)
  const line = await until(() => /The mail to .*/.exec(out())?.[0])
  t.match(line, /^The mail to a@example\.test could not be delivered: .*ECONNREFUSED.*\. It will be retried/)
  t.notMatch(out(), 'hidden-password')
})

t.test('a server whose output nobody reads answers on, and keeps no more than a bound', async (t) => {
  const { url, child } = await serveBinary(t)
  child.stdout?.pause()
  for (let nth = 0; nth < 500; nth++) await fetch(`${url}/${'x'.repeat(290)}`)
  t.equal((await fetch(url + HISTORIES, AUTHORIZED)).status, 200)
  const written: string[] = []
  const stream = { writableLength: 2_000_000, write: (text: string) => written.push(text) }
  const writer = new BoundedWriter(stream)
  writer.write('one')
  writer.write('two')
  stream.writableLength = 0
  writer.write('three')
  writer.write('four')
  t.same(written, [], 'lines are gathered')
  writer.flush()
  t.same(written, ['(2 more lines were not printed: the output was not being read.)\nthree\nfour\n'], 'what is left')
  for (const _ of [1, 2]) writer.write('x'.repeat(1_100_000))
  writer.write('one too many')
  await until(() => written.length > 1)
  t.equal(written[1]?.length, 1_100_001, 'what is gathered is bounded, and written by itself')
})
