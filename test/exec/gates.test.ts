import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { outcomeIdsOf } from '../../src/engine/contract/contract.js'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'
import { HISTORIES, MEMBER } from '../paths.js'
import { type Call, runExec } from './client.js'

const outcomeIds = outcomeIdsOf(contracts)
/** A percentage that two outcomes reach and one does not. */
const percentOfTwo = `${Math.floor(200 / outcomeIds.length)}`

const put = (form: Call['form']): Call => ({ path: MEMBER, method: 'PUT', form })
const ADMIN = put({ role: 'Admin' })
const [LIST, IN_SANDBOX]: readonly [Call, Call] = [{ path: HISTORIES }, { path: `/~worker-1${HISTORIES}` }]

const gates: readonly (readonly [args: string, failing: Call[], message: RegExp, passing: Call[]])[] = [
  [
    '--fail-on violations',
    [put({ rolle: 'Admin' }), put({ rolle: 'Member' })],
    /✗ violations {2}updateSubOrganizationMember: misnamed-field at form\.rolle\n +.* \(2 times, for example in PUT/,
    [put({ role: 'Admin', nickname: 'Z' })],
  ],
  [
    '--fail-on violations:all',
    [put({ role: 'Admin', nickname: 'Z', mood: 'good' })],
    /✗ violations:all .* at form\.mood\n[\s\S]*✗ violations:all .* at form\.nickname\n/,
    [put({ role: 'Admin' })],
  ],
  [
    '--fail-on violations',
    [{ path: HISTORIES, headers: { authorization: null } }],
    /: missing-token at .*\n[\s\S]* If the test expects this, send Prefer: expect=401\./,
    [{ path: HISTORIES, headers: { authorization: null, prefer: 'expect=401' } }],
  ],
  [
    '--fail-on violations',
    [{ path: HISTORIES, headers: { prefer: 'expect=400' } }],
    /expectation-unmet at request\n/,
    [],
  ],
  [
    '--fail-on violations,unmatched',
    [{ path: '/api/v2/projects/%zz/link' }],
    /✗ unmatched {2}GET \/api\/v2\/projects\/%zz\/link\n +The URL cannot be decoded/,
    [],
  ],
  [
    '--fail-on unused --scenario listCreditHistories:401',
    [ADMIN],
    /✗ unused {2}listCreditHistories:401\n/,
    [IN_SANDBOX],
  ],
  [
    '--require listCreditHistories:401,listCreditHistories:200',
    [{ path: HISTORIES }],
    /✗ require {2}listCreditHistories:401\n +.* never met\. Request it in a test, for example with Prefer: code=401/,
    [{ path: HISTORIES }, { path: HISTORIES, headers: { prefer: 'code=401' } }],
  ],
  [`--min-coverage ${percentOfTwo}`, [LIST], /✗ min-coverage {2}/, [LIST, { path: `/~w${HISTORIES}&__code=401` }]],
  [
    `--min-coverage ${percentOfTwo}:natural`,
    [{ path: HISTORIES }, { path: `${HISTORIES}&__code=401` }],
    /^2 of \d+ outcomes met \(.* %\), 1 without being forced \(.* %\)\n[\s\S]*✗ min-coverage .*\n.* were met without being forced; /m,
    [{ path: HISTORIES }, { path: HISTORIES, headers: { authorization: null } }],
  ],
]

t.test('each gate fails for a client’s mistake, reports the place, and passes for a correct client', async (t) => {
  for (const [line, failing, message, passing] of gates) {
    const args = line.split(' ')
    const { code, err } = await runExec(t, args, failing)
    t.match({ code, err }, { code: 1, err: message }, `${line} fails, with the place`)
    if (passing.length > 0) t.match(await runExec(t, args, passing), { code: 0, err: /outcomes met/ }, `${line} passes`)
  }
})

const GATES = ['violations', 'violations:all', 'unmatched', 'unused', 'deviations', 'require', 'min-coverage']
const ALL = `--fail-on ${GATES.slice(0, 5)} --require listCreditHistories:200 --min-coverage 1`.split(' ')

const curl = [`curl -sgo /dev/null -H "authorization: Bearer $COUNTERSIGN_TOKEN" "$COUNTERSIGN_URL`, `${HISTORIES}"`]
const call = (sandbox = '', more = '') => `${curl[0]}${sandbox}${curl[1]?.replace('"', `${more}"`)}`
const putJson = (path: string, body: object) =>
  `curl -so /dev/null -X PUT -H 'content-type: application/json' -d '${JSON.stringify(body)}' "$COUNTERSIGN_URL${path}"`
const activate = putJson('/~w/__admin/scenarios/slow-everything', { active: true })
const reset = 'curl -so /dev/null -X POST "$COUNTERSIGN_URL/~w/__admin/reset"'

/** What a command does, its status, and which gates pass and fail; all others are not judged. */
const runs: readonly (readonly [does: string, script: string, status: number, passed: string[], failed: string[]])[] = [
  ['succeeds at the root', call(), 0, GATES.filter((gate) => !/unused|deviations/.test(gate)), []],
  ['succeeds in a sandbox', call('/~w'), 0, GATES.filter((gate) => !/unused|deviations/.test(gate)), []],
  ['uses a scenario', `${activate}; ${call('/~w')}; ${reset}`, 0, GATES.filter((gate) => gate !== 'deviations'), []],
  [
    'resets a scenario without using it',
    `${activate}; ${reset}; ${call()}`,
    1,
    GATES.filter((gate) => !/unused|deviations/.test(gate)),
    ['unused'],
  ],
  ['forces everything', call('', '&__code=200'), 0, ['unmatched', 'require', 'min-coverage'], []],
  [
    'expects an undeclared status to be rejected',
    call('', '&__code=418&__expect=400'),
    1,
    ['unmatched'],
    ['require', 'min-coverage'],
  ],
  ['calls nothing', 'true', 1, [], []],
  ['fails', `${call()}; exit 7`, 7, [], []],
  ['fails after a violation', `${call('', '&per_pagge=1')}; exit 7`, 7, [], ['violations']],
  ['fails without a call', 'exit 7', 7, [], []],
  ['is killed', `${call()}; kill -9 $$`, 137, [], []],
]

t.test('a gate passes only if it was judged: in terminal, JUnit, summary and JSON', async (t) => {
  for (const [does, script, status, passed, failed] of runs) {
    const cwd = folder(t)
    const files = ['--junit', 'j.xml', '--summary', 's.md', '--coverage', 'c.json']
    const { code, err } = await run(t, ['exec', ...ALL, ...files, '--', 'sh', '-c', script], { cwd })
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
    t.equal(code, status, `a command that ${does}: the status`)
    const results: { gate: string; state: string }[] = JSON.parse(read('c.json')).gates
    const gatesThat = (state: string) => results.filter((one) => one.state === state).map(({ gate }) => gate)
    t.same(gatesThat('passed'), passed, `${does}: gates that pass`)
    t.same(gatesThat('failed'), failed, `${does}: gates that fail`)
    for (const gate of gatesThat('notJudged')) {
      t.match(err, new RegExp(`^Not judged, because .*\\b${gate}\\b`, 'm'), `${does}: the terminal`)
      t.match(read('s.md'), new RegExp(`^⚠️ Not judged, because .*\\b${gate}\\b`, 'm'), `${does}: summary`)
      t.match(read('j.xml'), new RegExp(`name="${gate}">\\s*<skipped message="Not judged, because `), `${does}: JUnit`)
    }
    t.notMatch(err + read('s.md'), /All gates passed|passes every gate/, `${does}: not every gate passes`)
  }
})

t.test('different rules of one name count as two, equal rules of several sandboxes as one', async (t) => {
  const define = (operation: string, sandbox = '/~w') =>
    putJson(`${sandbox}/__admin/scenarios/setup`, { active: true, rules: [{ on: operation, answer: { status: 401 } }] })
  const exec = (...lines: string[]) =>
    run(t, ['exec', '--fail-on', 'unused', '--', 'sh', '-c', lines.join('\n')], { cwd: folder(t) })
  const [first, other] = [define('listCreditHistories'), define('createSigningLink')]
  const unused = /✗ unused {2}setup#1( \(2\))?\n.* answered no request for createSigningLink\./
  t.match(await exec(first, call('/~w'), define('createSigningLink', '/~b')), { code: 1, err: unused }, 'two sandboxes')
  t.match(await exec(first, call('/~w'), reset, other), { code: 1, err: unused }, 'a reset between them')
  t.match(await exec(first, call('/~w'), other), { code: 1, err: unused }, 'one in place of the other')
  t.match(await exec(first, call('/~w'), define('listCreditHistories', '/~b'), reset, first), { code: 0 }, 'equal')
})

t.test('a run without gates claims no success, and a run without calls fails without --allow-idle', async (t) => {
  const cwd = folder(t)
  const inFolder = (line: string) => run(t, line.split(' '), { cwd })
  const ungated = await run(t, ['exec', '--junit', 'j.xml', '--summary', 's.md', '--', 'sh', '-c', call()], { cwd })
  t.equal(ungated.code, 0)
  t.notMatch(ungated.err + readFileSync(join(cwd, 's.md'), 'utf8'), /pass/, 'no success is claimed')
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), 'tests="0"')
  t.match(await inFolder('exec --fail-on violations --coverage c.json -- true'), { code: 1, err: /✗ idle/ })
  const sum = await inFolder('coverage --min-coverage 1 --fail-on violations c.json')
  t.match(sum, { code: 1, out: /Not judged, because nothing was called: violations, min-coverage\.[\s\S]*✗ idle/ })
  const allowed = await inFolder('exec --fail-on violations --allow-idle -- true')
  t.match(allowed, { code: 0, err: /No request reached the server, which --allow-idle allows\.\nNot judged, because / })
  t.notMatch(allowed.err, /All gates passed/)
  const unused = await inFolder('exec --fail-on unused --allow-idle --scenario verifyDocument:404 -- true')
  t.match(unused, { code: 0, err: /Not judged, because nothing was called: unused\./ })
  t.match(await inFolder('exec --require verifyDocument:200 --allow-idle -- true'), { code: 1, err: /never met/ })
  await inFolder('exec --coverage d.json -- false')
  const failed = await inFolder('coverage --allow-idle --fail-on violations d.json')
  t.match(failed, { code: 1, err: /d\.json: The command exited with status 1\./ }, 'a shard whose command failed')
  t.match(await inFolder('coverage d.json ./d.json'), { code: 2, err: /'\.\/d\.json' is given twice/ })
})

t.test('an outcome that was only forced is marked, and fails --require OUTCOME:natural', async (t) => {
  const cwd = folder(t)
  const forced = { path: `${HISTORIES}&__code=401` }
  const args = ['--require', 'listCreditHistories:401:natural', '--coverage', 'c.json']
  const fails = await runExec(t, args, [forced], { cwd })
  t.match(fails, { code: 1, err: /^listCreditHistories .* 1 forced$/m })
  t.match(fails.err, /✗ require {2}listCreditHistories:401:natural\n +.* only ever forced/)
  const { outcomes } = JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))
  t.match(outcomes, { 'listCreditHistories:401': { forced: true } })
  const slow = [...args, '--scenario', 'slow-everything']
  const natural = await runExec(t, slow, [forced, { path: HISTORIES, headers: { authorization: null } }])
  t.match(natural, { code: 0, err: /All gates passed/ }, 'a rule that only delays forces nothing')
  t.notMatch(natural.err, / forced$/m)
})

const withoutIds = (report: string) => report.replaceAll(/"id": "[\da-f-]{36}"/g, '')

t.test('calls or shards in another order, at any port, give the same report', async (t) => {
  const cwd = folder(t)
  const lines = [call(), call('/~b', '&mood=good'), call('/~a', '&mood=bad&tone=low'), `${curl[0]}/nowhere"`]
  const report = async (name: string, scripts: string[]) => {
    await run(t, ['exec', '--coverage', name, '--', 'sh', '-c', scripts.join('\n')], { cwd })
    return withoutIds(readFileSync(join(cwd, name), 'utf8'))
  }
  const one = await report('1.json', lines)
  t.equal(one, await report('2.json', lines.toReversed()), 'in another order')
  t.match(one, /curl 'http:\/\/127\.0\.0\.1:4010\//, 'at the default port')
  await report('3.json', lines.slice(0, 2))
  await report('4.json', lines.slice(2))
  const sum = async (...names: string[]) => {
    await run(t, ['coverage', ...names, '--coverage', 'sum.json'], { cwd })
    return readFileSync(join(cwd, 'sum.json'), 'utf8')
  }
  t.equal(await sum('3.json', '4.json'), await sum('4.json', '3.json'), 'shards in another order')
  t.match(JSON.parse(await sum('3.json', '4.json')), { calls: 4, root: 2, sandboxes: 2 }, 'totals add up')
})

t.test('every failure names the test, and requests that miss their sandbox are reported', async (t) => {
  const titled = `curl -so /dev/null -X POST -H 'content-type: application/json' -d '{"title":"a.ts > fails","file":"test/a.ts"}' "$COUNTERSIGN_URL/~w/__admin/reset"`
  const { url } = await serve(t, ['start', '--scenario', 'mutant:listCreditHistories:200/total/other-type'])
  const cwd = folder(t)
  const gate = ['exec', '--provider', url, '--fail-on', 'unmatched,deviations', '--junit', 'j.xml', '--', 'sh', '-c']
  const place = { cwd, env: { GITHUB_ACTIONS: 'true' } }
  const { err } = await run(
    t,
    [...gate, `${titled}; ${call('/~w')}; ${curl[0]}/~w/nowhere"; ${curl[0]}/~w/elsewhere"`],
    place,
  )
  t.match(err, /✗ unmatched {2}GET \/~w\/nowhere\n.*\(once, in the test 'a\.ts > fails'\)/)
  t.match(err, /✗ unmatched {2}GET \/~w\/elsewhere\n.* The nearest is .*\(once, in the test 'a\.ts > fails'\)/)
  t.match(err, /✗ deviations {2}listCreditHistories:200.*\n.*\(once, in the test 'a\.ts > fails'\)/)
  t.match(err, /^::error file=test\/a\.ts,title=unmatched/m, 'an annotation has the test’s file')
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), /name="GET \/~w\/nowhere" file="test\/a\.ts">/, 'JUnit has it')
  const lost = await run(t, ['exec', '--', 'sh', '-c', `${reset}; ${call()}`])
  t.match(lost.err, /1 of 1 requests reached the root, not a sandbox: does your client drop \/~NAME/)
})

t.test('the gate for deviations fails if a gateway answers, or the provider answers only with 500', async (t) => {
  const withProvider =
    (scenario: string, ...paths: readonly Call[]) =>
    async () => {
      const { url } = await serve(t, ['start', '--scenario', scenario])
      return runExec(t, ['--provider', url, '--fail-on', 'deviations'], paths)
    }
  const [update, list] = [put({ role: 'Admin' }), { path: HISTORIES }]
  for (const [start, message] of [
    [withProvider('gateway:503', update, list), /503 is a gateway status, .* \(2 times\) Checked: 0 of 2 answers\./],
    [withProvider('gateway:500', update, list), /500 is a gateway status, .* \(once\) Checked: 0 of 2 answers\./],
    [
      withProvider('updateSubOrganizationMember:500', update),
      /The provider answered every request with 500\. \(once\) Checked: 0 of 1 /,
    ],
  ] as const)
    t.match(await start(), { code: 1, err: message })
  t.match(await withProvider('updateSubOrganizationMember:500', update, list)(), { code: 0, err: /All gates passed/ })
})

t.test('an expected violation does not count, and an expectation that is not met fails the gate', async (t) => {
  const expecting = (times: number) =>
    `curl -so /dev/null -X POST -H 'content-type: application/json' -d '{"outcome":"listCreditHistories:400","times":${times}}' "$COUNTERSIGN_URL/~w/__admin/expectations"`
  const bad = call('/~w', '&page=none').replace('page=1&', '')
  const gated = (lines: string[]) => run(t, ['exec', '--fail-on', 'violations:all', '--', 'sh', '-c', lines.join('\n')])
  t.match(await gated([expecting(1), bad]), { code: 0, err: /All gates passed/ })
  t.match(await gated([expecting(1), bad, bad]), { code: 1, err: /\(once, in GET/ })
  const unmet =
    /✗ violations:all {2}listCreditHistories: expectation-unmet at listCreditHistories:400\n.* more often than it occurred\. \(once/
  t.match(await gated([expecting(2), bad, reset]), { code: 1, err: unmet }, 'across resets')
  t.match(await gated([expecting(1), call('/~w')]), { code: 1, err: unmet }, 'at the end')
})

t.test('deviations that a scenario intends do not fail the gate', async (t) => {
  const odd = 'rules: [{ on: listCreditHistories, offContract: true, answer: { body: [] } }]'
  const cwd = folder(t, { 'scenarios/odd.yaml': odd })
  const args = ['--fail-on', 'deviations', '--scenario', 'odd']
  t.match(await runExec(t, args, [{ path: HISTORIES }], { cwd }), { code: 0 }, 'the gate passes')
})

t.test('coverage adds up several runs, and checks gates against the sum', async (t) => {
  const cwd = folder(t)
  const shard = (name: string, sent: Call[]) => runExec(t, ['--coverage', `shards/${name}.json`], sent, { cwd })
  await shard('a', [{ path: HISTORIES }, { path: '/nowhere' }, { path: `${HISTORIES}&x=1` }])
  await shard('b', [{ path: HISTORIES, headers: { prefer: 'code=401' } }, { path: `${HISTORIES}&x=1` }])
  const sum = (...args: string[]) => run(t, ['coverage', 'shards/a.json', 'shards/b.json', ...args], { cwd })

  const kept = await sum('--require', 'listCreditHistories:200, listCreditHistories:401', '--coverage', 'sum.json')
  t.match(kept, { code: 0, out: `2 of ${outcomeIds.length} outcomes met` }, 'the sum meets what no run meets alone')
  const written = {
    outcomes: { 'listCreditHistories:200': { causes: { natural: 3 } }, 'listCreditHistories:401': { count: 1 } },
    violations: [{ code: 'no-such-route' }, { code: 'unknown-parameter', count: 2 }],
    unmatched: { 'GET /nowhere': 1 },
  }
  t.match(JSON.parse(readFileSync(join(cwd, 'sum.json'), 'utf8')), written, 'the sum can be written as coverage')
  const failed = { code: 1, out: /\(2 times, [\s\S]*✗ unmatched {2}GET \/nowhere/ }
  t.match(await sum('--fail-on', 'violations:all,unmatched'), failed, 'violations and unmatched requests add up')
})

async function withCoverage(t: Test, parts: object): Promise<string> {
  const cwd = folder(t)
  const file = join(cwd, 'it.json')
  await run(t, ['exec', '--coverage', 'it.json', '--', 'true'], { cwd })
  writeFileSync(
    file,
    JSON.stringify({
      ...JSON.parse(readFileSync(file, 'utf8')),
      calls: 9,
      checked: 9,
      runs: [{ id: 'a', calls: 9 }],
      ...parts,
    }),
  )
  return cwd
}

t.test('outcomes of other interpretations count only with a config that declares them', async (t) => {
  const count = (times: number) => ({ count: times, causes: { natural: times } })
  const outcomes = { 'listCreditHistories:201': count(3), 'listCreditHistories:404': count(1) }
  const cwd = await withCoverage(t, { outcomes })
  writeFileSync(join(cwd, 'theirs.yaml'), 'interpretations: { successStatus: 201, unknownOrganization: 404 }\n')
  const sum = (...args: string[]) => run(t, ['coverage', 'it.json', ...args], { cwd })
  const uncounted = `0 of ${outcomeIds.length} outcomes met (0.0 %), 0 without being forced (0.0 %)\nMet under other interpretations, and not counted: listCreditHistories:201, listCreditHistories:404. Pass`
  t.match(await sum(), { code: 0, out: uncounted }, 'they are reported, and not counted')
  const { code, out } = await sum('--require', 'listCreditHistories:404,listCreditHistories:200')
  t.match({ code, out }, { code: 1, out: '2 failures.' }, 'outcomes that do not count cannot be met')
  t.match(await sum('--require', 'listCreditHistories:418'), { code: 2, err: /does not take/ }, 'an outcome in no file')
  const theirs = await sum('--config', 'theirs.yaml', '--require', 'listCreditHistories:404')
  t.match(theirs, { code: 0, out: /^2 of \d+ outcomes met/m }, 'they count with the config')
  t.notMatch(theirs.out, 'not counted')
})

t.test('deviations of a coverage file fail the gate', async (t) => {
  const parts = { code: 'missing-property', where: 'body.id', message: 'It is missing.', outcome: 'verifyDocument:200' }
  const deviation = { ...parts, meant: false, basis: 'documented', cites: ['S3.6'], count: 2 }
  const cwd = await withCoverage(t, { deviations: [deviation] })
  const failed = await run(t, ['coverage', 'it.json', '--fail-on', 'deviations'], { cwd })
  t.match(failed, { code: 1, out: /✗ deviations .* at body\.id\n +It is missing\. \(2 times\)/ })
})
