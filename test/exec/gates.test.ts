import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { outcomeIds } from '../../schemas/scenario.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { HISTORIES, MEMBER, UPLOAD, VERIFY } from '../helper.js'
import { judge, type Sent } from './client.js'

/** A percentage that two outcomes reach and one does not. */
const two = `${Math.floor(200 / outcomeIds.length)}`

const put = (form: Sent['form']): Sent => ({ path: MEMBER, method: 'PUT', form })

const gates: readonly (readonly [args: string, breaks: Sent[], says: RegExp, keeps: Sent[]])[] = [
  [
    '--fail-on violations',
    [put({ rolle: 'Admin' }), put({ rolle: 'Member' })],
    /✗ violations {2}updateSubOrganizationMember: misnamed-field at form\.rolle\n +.* \(2 times, first in PUT/,
    [put({ nickname: 'Z' })],
  ],
  [
    '--fail-on violations:all',
    [put({ nickname: 'Z', mood: 'good' })],
    /✗ violations:all .* at form\.nickname\n[\s\S]*✗ violations:all .* at form\.mood\n/,
    [put({ role: 'Admin' })],
  ],
  [
    '--fail-on unmatched',
    [{ path: '/api/v2/credit/histories?page=1' }],
    /✗ unmatched {2}GET \/api\/v2\/credit\/histories\n/,
    [{ path: HISTORIES }],
  ],
  [
    '--fail-on violations,unmatched',
    [{ path: '/api/v2/projects/%zz/link' }],
    /✗ unmatched {2}GET \/api\/v2\/projects\/%zz\/link\n +The URL cannot be decoded/,
    [],
  ],
  [
    '--fail-on unused --scenario saved-but-failed',
    [put({ role: 'Admin' })],
    /✗ unused {2}saved-but-failed#2\n[\s\S]*✗ unused {2}saved-but-failed#3\n/,
    [],
  ],
  [
    '--fail-on unused --scenario listCreditHistories:401',
    [],
    /✗ unused {2}listCreditHistories:401#1/,
    [{ path: `/~worker-1${HISTORIES}` }],
  ],
  [
    '--require listCreditHistories:401,listCreditHistories:200',
    [{ path: HISTORIES }],
    /✗ require {2}listCreditHistories:401\n +.* never met\. Request it in a test, for example with Prefer: code=401/,
    [{ path: HISTORIES }, { path: HISTORIES, headers: { prefer: 'code=401' } }],
  ],
  [
    `--min-coverage ${two}`,
    [{ path: HISTORIES }],
    /✗ min-coverage {2}/,
    [{ path: HISTORIES }, { path: `/~w${HISTORIES}&__code=401` }],
  ],
]

t.test('each gate fails a client that breaks it, says where, and lets one pass that keeps it', async (t) => {
  for (const [line, breaks, says, keeps] of gates) {
    const args = line.split(' ')
    const { code, err } = await judge(t, args, breaks)
    t.match({ code, err }, { code: 1, err: says }, `${line} fails, and says where`)
    if (keeps.length > 0) t.match(await judge(t, args, keeps), { code: 0, err: /outcomes met/ }, `${line} is kept`)
  }
})

t.test('a run that calls nothing has nothing to judge, and fails', async (t) => {
  const cwd = folder(t)
  const gated = 'exec --fail-on violations,unmatched,deviations --junit j.xml --coverage c.json'
  const inFolder = (line: string) => run(t, line.split(' '), { cwd })
  t.match(await inFolder(`${gated} -- true`), { code: 1 })
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), /classname="countersign\.idle"/, 'JUnit has it')
  t.match(await inFolder('coverage --fail-on violations c.json'), { code: 1, out: /nothing was called/ })
  t.match(await inFolder(`${gated} --allow-idle -- true`), { code: 0, err: /All gates passed/ })
  t.match(await inFolder('exec -- true'), { code: 0 }, 'without a gate nothing is asked')
  const failed = await inFolder(`${gated} -- false`)
  t.match(failed, { code: 1 }, 'a command that failed')
  t.notMatch(failed.err, /nothing was called/, 'says more itself')
})

t.test('deviations that a scenario means are none to the gate', async (t) => {
  const odd = 'rules: [{ on: listCreditHistories, answer: { body: [], offContract: true } }]'
  const cwd = folder(t, { 'scenarios/odd.yaml': odd })
  const args = ['--fail-on', 'deviations', '--scenario', 'odd']
  t.match(await judge(t, args, [{ path: HISTORIES }], { cwd }), { code: 0 }, 'the gate is kept')
})

const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'

/** What a client does without noticing, the violation that the gate fails for, and the status that it gets. */
const slips: readonly (readonly [sent: Sent, violation: string, status: number])[] = [
  [{ path: HISTORIES, headers: { authorization: null } }, 'missing-token', 401],
  [{ path: HISTORIES, headers: { authorization: 'Bearer undefined' } }, 'placeholder-token', 401],
  [{ path: UPLOAD, method: 'POST', form: { file: 'data:image/png;base64,iVBORw0KGgo=' } }, 'file-as-text', 422],
  [{ path: HISTORIES.replace(/uuid=.*/, 'uuid=undefined') }, 'placeholder-value at query.organization_uuid', 200],
  [{ path: VERIFY, method: 'POST', form: { user_uuid: USER } }, 'missing-parameter at form', 400],
]

t.test('a client that slips fails the gate, unless its test says that it means it', async (t) => {
  for (const [sent, violation, status] of slips) {
    const { code, err } = await judge(t, ['--fail-on', 'violations'], [sent])
    t.match({ code, err }, { code: 1, err: `: ${violation}` })
    if (status === 401) t.match(err, ' If the test expects this, send Prefer: expect=401.')
    const meant = { ...sent, headers: { ...sent.headers, prefer: `expect=${status}` } }
    const { code: then } = await judge(t, ['--fail-on', 'violations:all'], [meant])
    t.equal(then, status >= 400 ? 0 : 1, `${violation}: it passes where it is meant, and led to the status`)
  }
  const unmet = /expectation-unmet at request\n/
  const expecting = [{ path: HISTORIES, headers: { prefer: 'expect=400' } }]
  t.match(await judge(t, ['--fail-on', 'violations'], expecting), { code: 1, err: unmet })
})

t.test('the coverage of several runs adds up, and the gates hold against the sum', async (t) => {
  const cwd = folder(t)
  const shard = (name: string, sent: Sent[]) => judge(t, ['--coverage', `shards/${name}.json`], sent, { cwd })
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

/** A folder with it.json, the coverage of a run in which nothing was called but for these parts. */
async function withCoverage(t: Test, parts: object): Promise<string> {
  const cwd = folder(t)
  const file = join(cwd, 'it.json')
  await run(t, ['exec', '--coverage', 'it.json', '--', 'true'], { cwd })
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...parts }))
  return cwd
}

t.test('outcomes that only other interpretations declare count where the config declares them', async (t) => {
  const count = (times: number) => ({ count: times, causes: { natural: times } })
  const outcomes = { 'listCreditHistories:201': count(3), 'listCreditHistories:404': count(1) }
  const cwd = await withCoverage(t, { outcomes })
  writeFileSync(join(cwd, 'theirs.yaml'), 'interpretations: { successStatus: 201, unknownOrganization: 404 }\n')
  const sum = (...args: string[]) => run(t, ['coverage', 'it.json', ...args], { cwd })
  t.match(await sum(), { code: 0, out: `0 of ${outcomeIds.length} outcomes met` }, 'they do not count')
  const { code, out } = await sum('--require', 'listCreditHistories:404,listCreditHistories:200')
  t.match({ code, out }, { code: 1, out: '2 failures.' }, 'what does not count cannot be required')
  t.match(await sum('--require', 'listCreditHistories:418'), { code: 2, err: /does not take/ }, 'one in no file')
  const theirs = await sum('--config', 'theirs.yaml', '--require', 'listCreditHistories:404')
  t.match(theirs, { code: 0, out: /^2 of \d+ outcomes met/m }, 'with the interpretations it does')
})

t.test('deviations of a coverage file fail the gate', async (t) => {
  const said = { code: 'missing-property', where: 'body.id', message: 'It is missing.', outcome: 'verifyDocument:200' }
  const deviation = { ...said, meant: false, basis: 'documented', cites: ['S3.6'], count: 2 }
  const cwd = await withCoverage(t, { deviations: [deviation] })
  const failed = await run(t, ['coverage', 'it.json', '--fail-on', 'deviations'], { cwd })
  t.match(failed, { code: 1, out: /✗ deviations .* at body\.id\n +It is missing\. \(2 times\)/ })
})
