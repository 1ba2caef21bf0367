import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CLI, folder, launch, until } from '../binary.js'
import { run } from '../command-line.js'
import { HISTORIES } from '../paths.js'
import { head } from '../wire.js'
import { node } from './client.js'

const QUIET = 'curl -so /dev/null'
const GET = `${QUIET} -H "authorization: Bearer $COUNTERSIGN_TOKEN" "$COUNTERSIGN_URL`
const CALL = `${GET}${HISTORIES}"`
const SLIP = `${GET}${HISTORIES}&per_pagge=1"; ${GET}/nowhere"`

const IN_SANDBOX = `${GET}/~w${HISTORIES}&per_pagge=1"`
const PREFLIGHT = `${QUIET} -X OPTIONS -H "origin: http://x" -H "access-control-request-method: GET" "$COUNTERSIGN_URL`

/** Runs that must fail: the gates, the command's script, and a pattern for the report. */
const failingRuns: readonly (readonly [gates: string, script: string, message: RegExp])[] = [
  ['', 'true', /✗ idle {2}nothing was called/],
  // Browsers' own requests, admin calls, pages and preflights do not count as calls of a client.
  ['--fail-on violations', `${QUIET} "$COUNTERSIGN_URL/robots.txt"`, /✗ idle/],
  ['--fail-on violations', `${QUIET} "$COUNTERSIGN_ADMIN_URL/requests" "$COUNTERSIGN_URL/"`, /✗ idle/],
  ['--fail-on violations', `${PREFLIGHT}${HISTORIES}"`, /✗ idle/],
  // Resets, deletions and active scenarios do not hide a mistake.
  ['--fail-on violations', `${SLIP}; ${QUIET} -X DELETE "$COUNTERSIGN_ADMIN_URL/requests"`, /✗ violations /],
  ['--fail-on violations', `${SLIP}; ${QUIET} -X POST "$COUNTERSIGN_ADMIN_URL/reset"`, /✗ violations /],
  ['--fail-on violations', `${IN_SANDBOX}; ${QUIET} -X DELETE "$COUNTERSIGN_ADMIN_URL/sandboxes/w"`, /✗ violations /],
  ['--fail-on violations --scenario listCreditHistories:200', SLIP, /✗ violations /],
  ['--fail-on violations --scenario gateway:503', SLIP, /✗ violations /],
  ['--fail-on unmatched', `${QUIET} -m .3 -d x -H content-length:9 "$COUNTERSIGN_URL/x"; true`, /unmatched {2}POST /],
  ['--fail-on unmatched --fail-on violations', SLIP, /✗ unmatched {2}GET \/nowhere[\s\S]*✗ violations /],
  ['--fail-on deviations,not-judged', CALL, /✗ not-judged {2}deviations\n.* because no call was forwarded/],
  ['--fail-on unused --fail-on not-judged', CALL, /✗ not-judged {2}unused\n.* because no scenario with rules was on/],
  ['--fail-on violations,not-judged', `${GET}${HISTORIES}&__code=200"`, /✗ not-judged {2}violations\n/],
]

t.test('a run that checked nothing, or deleted its violations, fails', async (t) => {
  for (const [gates, script, message] of failingRuns) {
    const args = ['exec', ...gates.split(' ').filter(Boolean), '--', 'sh', '-c', script]
    t.match(await run(t, args, { cwd: folder(t) }), { code: 1, err: message }, `${gates}: ${script}`)
  }
  const ignored = await run(t, ['exec', '--', 'true'], { env: { COUNTERSIGN_FAIL_ON: 'violations' } })
  const expected = `${QUIET} "$COUNTERSIGN_URL/nowhere?__expect=404"`
  t.match(await run(t, ['exec', '--fail-on', 'unmatched', '--', 'sh', '-c', expected]), { code: 0 }, 'an expected 404')
  t.match(ignored, { code: 1, err: /COUNTERSIGN_FAIL_ON has no effect: pass --fail-on\./ })
})

const UPLOAD = 'POST /client/signature HTTP/1.1'

/** Unreadable and unmatched requests; http/unreadable.test.ts has more. */
const invalidRequests: readonly (readonly [sent: string, message: RegExp])[] = [
  [`${head(UPLOAD, 'Host: x', 'Transfer-Encoding: chunked')}ZZ\r\n`, /✗ violations .*unreadable-request/],
  [`${head(UPLOAD, 'Host: x', 'Content-Length: 1')}é`, /✗ unmatched [^✗]*Send its length/],
  [head(`GET ${HISTORIES} HTTP/1.1`, 'Connection: close'), /✗ violations .* at headers\.host/],
  [head('FETCH / HTTP/1.1', 'Host: x'), /✗ unmatched [^✗]*'FETCH' is unknown\.[^✗]*Use GET/],
  [head(`OPTIONS ${HISTORIES} HTTP/1.1`, 'Host: x', 'Connection: close'), /✗ unmatched {2}OPTIONS /],
  [head('CONNECT api.example.test:443 HTTP/1.1', 'Host: x'), /✗ unmatched {2}CONNECT [^✗]*not a proxy/],
]

t.test('a request that is unreadable or unmatched fails the gates', async (t) => {
  const script = (bytes: string) => `
    const socket = require('node:net').connect(new URL(process.env.COUNTERSIGN_URL).port, '127.0.0.1')
    socket.on('error', () => {}).resume().write('${bytes}', 'base64')`
  for (const [sent, message] of invalidRequests) {
    const args = ['--fail-on', 'violations,unmatched', ...node(script(Buffer.from(sent).toString('base64')))]
    const { code, err } = await run(t, ['exec', ...args], { cwd: folder(t) })
    t.match({ code, err }, { code: 1, err: message }, JSON.stringify(sent.slice(0, 60)))
    t.notMatch(err, /unreadable[^✗]*expect=/, 'the report does not suggest to expect an unreadable request')
  }
})

t.test('with --shards, missing, duplicate and idle shards fail; without it, they are reported', async (t) => {
  const cwd = folder(t)
  const shard = (name: string, script: string) =>
    run(t, ['exec', '--allow-idle', '--coverage', name, '--', 'sh', '-c', script], { cwd })
  const sum = (line: string) => run(t, ['coverage', ...line.split(' ')], { cwd })
  await shard('a.json', CALL)
  await shard('b.json', CALL)
  await shard('idle.json', 'true')
  const a = readFileSync(join(cwd, 'a.json'), 'utf8')
  writeFileSync(join(cwd, 'again.json'), a)
  const { runs } = JSON.parse(a)
  await sum('a.json b.json --coverage ab.json')
  t.match(JSON.parse(readFileSync(join(cwd, 'ab.json'), 'utf8')).runs, { length: 2 }, 'the sum lists its runs')
  t.match(runs, [{ id: /^[\da-f-]{36}$/, calls: 1 }])
  for (const [line, code, message] of [
    ['--shards 2 a.json b.json', 0, /All gates passed/],
    ['--shards 2 ab.json', 0, /All gates passed/],
    ['--shards 3 a.json b.json', 1, /✗ shards {2}3 shards\n +The files contain 2 runs, but --shards expects 3\./],
    ['--shards 1 ab.json', 1, /The files contain 2 runs, but --shards expects 1\./],
    ['--shards 2 a.json b.json again.json', 1, /✗ shards .*\n +The same run is in a\.json and again\.json/],
    ['--shards 2 a.json idle.json', 1, /✗ shards .*\n +The run in idle\.json made no requests\./],
    ['--shards 2 --allow-idle a.json idle.json', 0, /^The run in idle\.json made no requests\./m],
    ['a.json idle.json', 0, /^The run in idle\.json made no requests\./m],
    ['ab.json again.json', 0, /^The same run is in ab\.json and again\.json/m],
    ['idle.json', 1, /✗ idle {2}nothing was called/],
  ] as const)
    t.match(await sum(line), { code, out: message }, line)
})

t.test('a run that is killed or cannot start leaves no report of an earlier run', async (t) => {
  const cwd = folder(t, { 'c.json': '{}', 'j.xml': '<testsuites/>', 'bad.yaml': 'prot: 1\n' })
  const args = ['exec', '--coverage', 'c.json', '--junit', 'j.xml']
  const script = `console.log('ready'); setTimeout(() => {}, 1e3)`
  const { child, out, ended } = launch(t, process.execPath, [CLI, ...args, ...node(script)], { cwd })
  await until(() => out().includes('ready'))
  child.kill('SIGKILL')
  await ended
  t.same([existsSync(join(cwd, 'c.json')), existsSync(join(cwd, 'j.xml'))], [false, false])
  writeFileSync(join(cwd, 'c.json'), '{ "kind": "countersign coverage" }')
  t.match(await run(t, [...args, '--config', 'bad.yaml', '--', 'true'], { cwd }), { code: 1 })
  t.notOk(existsSync(join(cwd, 'c.json')), 'a run with an invalid config file leaves no old report')
  await run(t, ['exec', '--junit', 'bad.yaml', '--config', 'worse.yaml', '--', 'true'], { cwd })
  t.ok(existsSync(join(cwd, 'bad.yaml')), 'and removes no other file')
})

t.test('a request without an answer when the command ends is reported, and checked', async (t) => {
  const script = `curl -s -m 0.3 -o /dev/null "$COUNTERSIGN_URL${HISTORIES}&__delay=60000" || true`
  const { err } = await run(t, ['exec', '--', 'sh', '-c', script])
  t.match(err, /^1 of 1 requests had no answer when the client closed the connection or the command ended\./m)
  const unfinished = `curl -s -o /dev/null "$COUNTERSIGN_URL${HISTORIES}&per_pagge=1&__delay=60000" & sleep 0.5`
  const gates = ['--scenario', 'slow-everything', '--fail-on', 'violations,unused']
  const { code, err: report } = await run(t, ['exec', ...gates, '--', 'sh', '-c', unfinished])
  t.match(report, /^1 of 1 requests had no answer /m)
  t.notMatch(report, 'unused', 'its rule counts as used')
  t.match([code, report], [1, /✗ violations .*\n.*per_page/], 'its violation fails the gate')
})
