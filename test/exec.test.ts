import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { outcomeIds } from '../schemas/scenario.js'
import { emptyReport } from '../src/coverage/report.js'
import { CLI, folder, launch, type Place, run as runBinary, UNHOOKED, until } from './binary.js'
import { run } from './command-line.js'

/** A client: it sends what its argument lists, one after another, and ends well. */
const CLIENT = `
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
for (const { path, method = 'GET', headers, form, text } of JSON.parse(process.argv[2])) {
  const body = form && new FormData()
  for (const [name, value] of Object.entries(form ?? {})) body.append(name, value)
  const all = { authorization: 'Bearer ' + token, ...headers }
  if (all.authorization === null) delete all.authorization
  await fetch(url + path, { method, headers: all, body: body ?? text }).then((one) => one.text(), () => {})
}`

interface Sent {
  readonly path: string
  readonly method?: string
  /** `authorization: null` sends none. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly form?: Readonly<Record<string, string>>
  readonly text?: string
}

const HISTORIES = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const MEMBER = '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101?user_type=ENTERPRISE_API'
const INVITE = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'

/** The command line that runs a client under exec. */
function withClient(t: Test, args: readonly string[], sent: readonly Sent[]): string[] {
  const client = join(folder(t, { 'client.mjs': CLIENT }), 'client.mjs')
  return ['exec', ...args, '--', process.execPath, client, JSON.stringify(sent)]
}

/** Runs exec in this process; what its child prints goes where the tests' own results go, so it must print nothing. */
function exec(t: Test, args: readonly string[], place?: Place) {
  const unhooked = args.flatMap((word) => (word === process.execPath ? [...UNHOOKED, word] : word))
  return run(t, unhooked, place)
}

const judge = (t: Test, args: readonly string[], sent: readonly Sent[], place?: Place) =>
  exec(t, withClient(t, args, sent), place)

const node = (script: string) => ['--', process.execPath, '-e', script]

t.test('the child finds a server that is ready, and where it is, in its environment', async (t) => {
  const script = `
    const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token, COUNTERSIGN_ADMIN_URL: admin, COUNTERSIGN_ADMIN_TOKEN: key, MINE } = process.env
    const get = async (url, token) => (await fetch(url, { headers: { authorization: 'Bearer ' + token } })).status
    get(url + '${HISTORIES}', token).then(async (api) =>
      console.log(JSON.stringify({ url, admin, token, MINE, api, health: await get(admin + '/health', key) })))`
  const cwd = folder(t, { 'countersign.config.yaml': 'port: 1\n' })
  for (const args of [[], ['--admin-token', 'k-1']]) {
    const { code, out } = await runBinary(t, ['exec', ...args, ...node(script)], { cwd, env: { MINE: 'kept' } })
    const how = args.length === 0 ? 'without a token for admin' : 'with a token for admin'
    t.equal(code, 0, `${how}, the child ends well`)
    const seen = JSON.parse(out)
    t.match(
      seen,
      { url: /^http:\/\/127\.0\.0\.1:\d{4,}$/, token: 'token-admin', MINE: 'kept', api: 200, health: 200 },
      `${how}, the child is answered and keeps its environment`,
    )
    t.equal(seen.admin, `${seen.url}/__admin`, `${how}, the child knows where admin is`)
  }
})

t.test('the child’s exit code is the command’s', async (t) => {
  const codes: readonly (readonly [words: readonly string[], code: number, says: RegExp, start?: typeof exec])[] = [
    [node('process.exit(7)'), 7, /./, runBinary],
    [node('process.kill(process.pid, "SIGTERM")'), 143, /./],
    [node('process.abort()'), 134, /./, runBinary],
    [['--', 'no-such-command'], 127, /'no-such-command' cannot be run: there is no such command/],
    [['--', '/'], 126, /'\/' cannot be run/],
    [['--fail-on', 'unmatched', '--require', 'verifyDocument:404', ...node('process.exit(3)')], 3, /was never met/],
    [[], 1, /Say what to run after two dashes: countersign exec \[options\] -- npm test/],
    [['npm', 'test'], 1, /'npm' is not expected before them/],
  ]
  for (const [words, code, says, start = exec] of codes) {
    const ended = await start(t, ['exec', ...words])
    t.equal(ended.code, code, `exec ${words.join(' ')} ends with its code`)
    t.match(ended.err, says, `exec ${words.join(' ')} says why`)
  }
})

t.test('signals go to the child, which has the last word', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const script = `process.on('${signal}', () => { console.log('bye'); process.exit(5) }); console.log('ready'); setInterval(() => {}, 1e3)`
    const running = launch(t, process.execPath, [CLI, 'exec', ...node(script)])
    await until(() => running.out().includes('ready'))
    running.child.kill(signal)
    t.match(await running.ended, { code: 5, signal: null, out: /ready\nbye/ }, `${signal} reaches the child`)
  }
})

t.test('a signal as the child starts reaches the child', { skip: process.platform === 'win32' }, async (t) => {
  for (let nth = 0; nth < 8; nth++) {
    const ended = await runBinary(t, ['exec', '--', 'sh', '-c', 'kill -TERM $PPID; sleep 60'])
    t.equal(ended.code, 143, `time ${nth}: the command ends as the child does`)
  }
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that has ended and that nobody has taken note of is not running.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

t.test('no process is left behind', { skip: process.platform === 'win32' }, async (t) => {
  const cut = launch(t, process.execPath, [CLI, 'exec', '--', 'sh', '-c', 'sleep 300 & echo $!; wait'])
  const sleeper = Number(await until(() => /^\d+$/m.exec(cut.out())?.[0]))
  t.ok(isRunning(sleeper), 'the child’s child runs')
  cut.child.kill('SIGTERM')
  t.equal((await cut.ended).code, 143, 'the command ends as its child does')
  await until(() => !isRunning(sleeper))

  const { out } = await runBinary(t, ['exec', '--', 'sh', '-c', 'sleep 300 > /dev/null 2>&1 & echo $!'])
  await until(() => !isRunning(Number(out.trim())))
})

/** How many of all outcomes so many are, as the report says it. */
const percentOf = (outcomes: number) => ((100 * outcomes) / outcomeIds.length).toFixed(1)
/** A percentage that two outcomes reach and one does not. */
const two = `${Math.floor(200 / outcomeIds.length)}`

/** Each gate: what it is asked, a client that breaks it with what is said, and one that keeps it. */
const gates: readonly (readonly [args: readonly string[], breaks: Sent[], says: RegExp, keeps: Sent[]])[] = [
  [
    ['--fail-on', 'violations'],
    [
      { path: MEMBER, method: 'PUT', form: { rolle: 'Admin' } },
      { path: MEMBER, method: 'PUT', form: { rolle: 'Member' } },
    ],
    /✗ violations {2}updateSubOrganizationMember: misnamed-field at form\.rolle\n +.* \(2 times, first in PUT \/api.*\) Fix: Write 'role'\./,
    [{ path: MEMBER, method: 'PUT', form: { nickname: 'Z' } }],
  ],
  [
    ['--fail-on', 'violations:all'],
    [
      { path: MEMBER, method: 'PUT', form: { nickname: 'Z' } },
      { path: MEMBER, method: 'PUT', form: { nickname: 'Y' } },
    ],
    /✗ violations:all {2}updateSubOrganizationMember: unknown-field at form\.nickname\n +.* \(2 times, first in PUT \/api.*\) Fix: Leave it out\. Rule: I-12: /,
    [{ path: MEMBER, method: 'PUT', form: { role: 'Admin' } }],
  ],
  [
    ['--fail-on', 'unmatched'],
    [{ path: '/api/v2/credit/histories?page=1' }],
    /✗ unmatched {2}GET \/api\/v2\/credit\/histories\n +No operation matches .* \(once\)/,
    [{ path: HISTORIES }],
  ],
  [
    ['--fail-on', 'unused', '--scenario', 'saved-but-failed'],
    [{ path: MEMBER, method: 'PUT', form: { role: 'Admin' } }],
    /✗ unused {2}saved-but-failed#2\n +The rule saved-but-failed#2 was on, and no request matched it[\s\S]*✗ unused {2}saved-but-failed#3/,
    [],
  ],
  [
    ['--fail-on', 'unused', '--scenario', 'listCreditHistories:401'],
    [],
    /✗ unused {2}listCreditHistories:401#1/,
    [{ path: `/~worker-1${HISTORIES}` }],
  ],
  [
    ['--require', 'listCreditHistories:401, listCreditHistories:200'],
    [{ path: HISTORIES }],
    /✗ require {2}listCreditHistories:401\n +.* never met\. Have a test ask for it, as with Prefer: code=401/,
    [{ path: HISTORIES }, { path: HISTORIES, headers: { prefer: 'code=401' } }],
  ],
  [
    ['--min-coverage', two],
    [{ path: HISTORIES }],
    new RegExp(
      `✗ min-coverage {2}${two} %\\n +${percentOf(1).replace('.', '\\.')} % of the outcomes were met, ${two} % are required\\. Not met: uploadSignature:200, `,
    ),
    [{ path: HISTORIES }, { path: `/~w${HISTORIES}&__code=401` }],
  ],
]

t.test('each gate fails a client that breaks it, says how to fix it, and lets one pass that keeps it', async (t) => {
  for (const [args, breaks, says, keeps] of gates) {
    const broken = await judge(t, args, breaks)
    t.equal(broken.code, 1, `${args.join(' ')} fails`)
    t.match(broken.err, says, `${args.join(' ')} says how to fix it`)
    t.match(broken.err, /\n\d+ failures?\.\n$/, `${args.join(' ')} ends with a count of failures`)
    if (keeps.length > 0)
      t.match(await judge(t, args, keeps), { code: 0, err: /outcomes met/ }, `${args.join(' ')} is kept`)
  }
  const unknown = await run(t, ['exec', '--fail-on', 'violation', '--', 'true'])
  t.match(
    unknown,
    { code: 1, err: /--fail-on does not take 'violation'\. Did you mean 'violations'\? Allowed: viol/ },
    'an unknown gate is refused',
  )
})

t.test('deviations that a scenario means are none to the gate', async (t) => {
  const cwd = folder(t, {
    'scenarios/odd.yaml': 'rules: [{ on: listCreditHistories, answer: { body: [], offContract: true } }]',
  })
  const { code } = await judge(t, ['--fail-on', 'deviations', '--scenario', 'odd'], [{ path: HISTORIES }], { cwd })
  t.equal(code, 0, 'the gate is kept')
})

const VERIFY = '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API'
const UPLOAD = '/client/signature?user_type=ENTERPRISE_API'
const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'

/** What a client does without noticing, the violation that the gate fails for, and the status that it gets. */
const slips: readonly (readonly [what: string, sent: Sent, violation: string, status: number])[] = [
  ['no token', { path: HISTORIES, headers: { authorization: null } }, 'missing-token', 401],
  [
    'the token undefined',
    { path: HISTORIES, headers: { authorization: 'Bearer undefined' } },
    'placeholder-token',
    401,
  ],
  [
    'a data URL as the file',
    { path: UPLOAD, method: 'POST', form: { file: 'data:image/png;base64,iVBORw0KGgo=' } },
    'file-as-text',
    422,
  ],
  [
    'the organization undefined',
    { path: HISTORIES.replace(/uuid=.*/, 'uuid=undefined') },
    'placeholder-value at query.organization_uuid',
    200,
  ],
  [
    'neither file nor code',
    { path: VERIFY, method: 'POST', form: { user_uuid: USER } },
    'missing-parameter at form',
    400,
  ],
]

t.test('a client that slips fails the gate, unless its test says that it means it', async (t) => {
  for (const [what, sent, violation, status] of slips) {
    const { code, err } = await judge(t, ['--fail-on', 'violations'], [sent])
    t.equal(code, 1, `${what}: the run fails`)
    t.match(err, `: ${violation}`, `${what}: the violation is named`)
    const meant = { ...sent, headers: { ...sent.headers, prefer: `expect=${status}` } }
    t.equal((await judge(t, ['--fail-on', 'violations:all'], [meant])).code, 0, `${what}: it passes where it is meant`)
  }
  const unmet = await judge(t, ['--fail-on', 'violations'], [{ path: HISTORIES, headers: { prefer: 'expect=400' } }])
  t.match(unmet, { code: 1, err: /expectation-unmet at request\n +The request says that it expects 400, and got 200/ })
})

t.test('the report is printed without colour where nobody looks', async (t) => {
  const sent = [{ path: HISTORIES }, { path: `${HISTORIES}&sort=amount&page=2` }, { path: '/nowhere' }]
  const { code, err } = await runBinary(t, withClient(t, [], sent))
  t.equal(code, 0, 'without gates nothing is held against a client')
  t.match(err, /^listCreditHistories {13}1 {5}1 {5}- *$/m, 'an operation has a line with its outcomes')
  t.match(err, `2 of ${outcomeIds.length} outcomes met (${percentOf(2)} %)`, 'the met outcomes are counted')
  t.match(err, 'Pages of lists: first 1, last 0', 'the pages that were read are counted')
  t.notMatch(err, '\u001b', 'nothing is coloured')
})

t.test('JUnit and markdown files tell a CI system the same, escaped', async (t) => {
  const cwd = folder(t)
  const files = ['--junit', 'new/junit.xml', '--summary', 'new/summary.md']
  const args = [...files, '--fail-on', 'violations:all,unmatched', '--require', 'verifyDocument:404']
  await judge(t, args, [{ path: '/a<b>"&amp;|`x`' }, { path: `${HISTORIES}&%3Cscript%3E=%5Bx%5D` }], { cwd })
  const junit = readFileSync(join(cwd, 'new/junit.xml'), 'utf8')
  t.match(
    junit,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="countersign" tests="4" failures="4">/,
    'JUnit counts the failures',
  )
  const tags = Array.from(junit.matchAll(/<(\/?)(\w+)((?: \w+="[^"<>]*")*)(\/?)>/g))
  t.equal(
    junit.replaceAll(/<\?xml[^>]*>|<\/?\w+(?: \w+="[^"<>]*")*\/?>/g, '').match(/[<>]|&(?!\w+;|#\d+;)/),
    null,
    'JUnit is well-formed',
  )
  t.equal(
    tags.filter(([, end]) => end).length,
    tags.filter(([, end, , , empty]) => !end && !empty).length,
    'each tag of JUnit is closed',
  )
  for (const gate of ['violations:all', 'unmatched', 'require'])
    t.match(junit, `classname="countersign.${gate}"`, `JUnit has the gate ${gate}`)

  const summary = readFileSync(join(cwd, 'new/summary.md'), 'utf8')
  t.match(summary, '❌ 4 failures', 'the summary counts the failures')
  t.match(summary, '- **require** `verifyDocument:404`: The outcome', 'the summary lists them')
  t.match(summary, /^\| listCreditHistories \| 1 \| \*\*0\*\* \|/m, 'the summary has a row for an operation')
  t.notMatch(summary.replaceAll(/`[^`]*`/g, ''), /<script|\[x\]/, 'the summary escapes what a client sent')

  await judge(t, [...files, '--fail-on', 'violations'], [{ path: HISTORIES }], { cwd })
  t.match(
    readFileSync(join(cwd, 'new/junit.xml'), 'utf8'),
    'tests="1" failures="0"',
    'JUnit of a run that passes has no failures',
  )
  t.match(readFileSync(join(cwd, 'new/summary.md'), 'utf8'), '✅', 'the summary of a run that passes says so')
})

t.test('the coverage of several runs adds up, and the gates hold against the sum', async (t) => {
  const cwd = folder(t)
  const shard = (name: string, sent: Sent[]) => judge(t, ['--coverage', `shards/${name}.json`], sent, { cwd })
  await shard('a', [{ path: HISTORIES }, { path: '/nowhere' }, { path: `${HISTORIES}&x=1` }])
  await shard('b', [{ path: HISTORIES, headers: { prefer: 'code=401' } }, { path: `${HISTORIES}&x=1` }])
  const sum = (...args: string[]) => run(t, ['coverage', 'shards/a.json', 'shards/b.json', ...args], { cwd })

  const kept = await sum('--require', 'listCreditHistories:200,listCreditHistories:401', '--coverage', 'sum.json')
  t.match(kept, { code: 0, err: `2 of ${outcomeIds.length} outcomes met` }, 'the sum meets what no run meets alone')
  t.match(
    JSON.parse(readFileSync(join(cwd, 'sum.json'), 'utf8')),
    {
      outcomes: {
        'listCreditHistories:200': { count: 3, causes: { natural: 3 } },
        'listCreditHistories:401': { count: 1, causes: { prefer: 1 } },
      },
      violations: [{ code: 'no-such-route' }, { code: 'unknown-parameter', count: 2 }],
      unmatched: { 'GET /nowhere': 1 },
    },
    'the sum can be written as coverage',
  )
  t.match(
    await sum('--fail-on', 'violations:all,unmatched'),
    {
      code: 1,
      err: /\(2 times, [\s\S]*✗ unmatched {2}GET \/nowhere/,
    },
    'violations and unmatched requests add up',
  )
  t.match(
    await sum('--fail-on', 'unused'),
    { code: 1, err: /Only countersign exec supports --fail-on unused\./ },
    'unused rules cannot be summed up',
  )
  t.match(await run(t, ['coverage'], { cwd }), { code: 1, err: /Name the files/ }, 'files must be named')
  t.match(
    await run(t, ['coverage', 'none.json'], { cwd }),
    { code: 1, err: /none\.json: The file cannot be read/ },
    'a missing file is reported',
  )
})

t.test('a URL that cannot be read fails the gates', async (t) => {
  const { code, err } = await judge(t, ['--fail-on', 'violations,unmatched'], [{ path: '/api/v2/projects/%zz/link' }])
  t.equal(code, 1)
  t.match(err, /✗ violations {2}no operation: bad-url at url/, 'the violation')
  t.match(err, /✗ unmatched {2}GET \/api\/v2\/projects\/%zz\/link/, 'the call that nothing matches')
})

t.test('outcomes that only other readings declare are told where coverage files are added up', async (t) => {
  const count = (times: number) => ({ count: times, causes: { natural: times } })
  const outcomes = { 'listCreditHistories:201': count(3), 'listCreditHistories:404': count(1) }
  const cwd = folder(t, {
    'it.json': JSON.stringify({ ...emptyReport(), outcomes }),
    'theirs.yaml': 'interpretations: { successStatus: 201, unknownOrganization: 404 }\n',
  })
  const sum = (...args: string[]) => run(t, ['coverage', 'it.json', ...args], { cwd })
  const hint = 'Give the --interpretations or the --config of that run, and it counts.'

  const { code, err } = await sum()
  t.match({ code, err }, { code: 0, err: `0 of ${outcomeIds.length} outcomes met` }, 'they do not count')
  for (const told of ['listCreditHistories:201 was met 3 times', 'listCreditHistories:404 was met once'])
    t.match(err, `countersign: The outcome ${told} in a run with other interpretations`, 'it says so')
  t.match(err, hint, 'and what to do')

  const required = await sum('--require', 'listCreditHistories:404,listCreditHistories:200')
  t.equal(required.code, 1, 'what does not count cannot be required')
  t.match(required.err, /✗ require {2}listCreditHistories:404\n +The outcome .* was met once in a run with other/)
  t.match(required.err, /✗ require {2}listCreditHistories:200\n +The outcome .* was never met/)
  t.match(required.err, '2 failures.')
  t.match(await sum('--require', 'listCreditHistories:418'), { code: 1, err: /does not take/ }, 'one in no file')

  const theirs = await sum('--interpretations', 'theirs.yaml', '--require', 'listCreditHistories:404')
  t.match(
    { code: theirs.code, err: theirs.err },
    { code: 0, err: /^2 of \d+ outcomes met/m },
    'with the readings they do',
  )
  t.notMatch(theirs.err, hint, 'and nothing is told')
})

t.test('a coverage file is checked before it counts, and its deviations fail the gate', async (t) => {
  const deviation = { code: 'missing-property', where: 'body.id', message: 'It is missing.', meant: false } as const
  const report = {
    ...emptyReport(),
    deviations: [
      { ...deviation, basis: 'documented' as const, cites: ['S3.6'] as const, outcome: 'verifyDocument:200', count: 2 },
    ],
  }
  const cwd = folder(t, { 'it.json': JSON.stringify(report), 'no.json': '{ "kind": "lcov" }' })
  const { code, err } = await run(t, ['coverage', 'it.json', '--fail-on', 'deviations'], { cwd })
  t.match(
    { code, err },
    { code: 1, err: /✗ deviations {2}verifyDocument:200: missing-property at body\.id\n +It is missing\. \(2 times\)/ },
    'a deviation fails the gate',
  )
  t.match(
    await run(t, ['coverage', 'no.json'], { cwd }),
    {
      code: 1,
      err: /'kind' must be "countersign coverage", not 'lcov'/,
    },
    'a file of another kind is refused',
  )
})

t.test('a report that cannot be written is told, and changes no exit code but that of success', async (t) => {
  const cwd = folder(t, { 'a-file': '', 'a-folder/here': '' })
  const FULL = '/dev/full'
  const places: readonly (readonly [file: string, says: RegExp])[] = [
    ['a-folder', /^countersign: a-folder: The file cannot be written: it is a folder\.$/m],
    ['a-file/below', /^countersign: a-file\/below: The file cannot be written: .+\.$/m],
    ['x'.repeat(300), /^countersign: x{300}: The file cannot be written: its name is too long\.$/m],
    ...(existsSync(FULL)
      ? [[FULL, /^countersign: .*\/dev\/full: The file cannot be written: there is no room left\.$/m] as const]
      : []),
  ]
  for (const [file, says] of places) {
    for (const flag of ['--junit', '--summary', '--coverage']) {
      const others = ['--junit', '--summary', '--coverage'].filter((one) => one !== flag)
      const written = others.flatMap((one) => [one, `written${one}`])
      for (const [childs, code] of [
        [3, 3],
        [0, 1],
      ] as const) {
        const label = `${flag} ${file.slice(0, 20)}, and a suite that ends with ${childs}`
        const ended = await exec(t, ['exec', flag, file, ...written, ...node(`process.exit(${childs})`)], { cwd })
        t.match(ended, { code, err: says }, `${label}: the code, and what went wrong`)
        t.notMatch(ended.err, /\n {4}at /, `${label}: no stack`)
        t.match(ended.err, /createSigningLink/, `${label}: the outcomes are printed all the same`)
        for (const one of others) {
          t.ok(existsSync(join(cwd, `written${one}`)), `${label}: ${one} is written all the same`)
          rmSync(join(cwd, `written${one}`), { force: true })
        }
      }
    }
  }
})

t.test('no secret gets into what is printed or written', async (t) => {
  const secret = 'sEcReT+tok/en=='
  const cwd = folder(t)
  const encoded = encodeURIComponent(secret)
  const authorization = `Bearer ${secret}`
  const files = ['--junit', 'j.xml', '--summary', 's.md', '--coverage', 'c.json']
  const words = withClient(
    t,
    ['--auth', 'any', ...files, '--fail-on', 'violations,unmatched'],
    [
      { path: HISTORIES, headers: { authorization: secret } },
      { path: HISTORIES, headers: { authorization: `Bearer ${authorization}` } },
      { path: `${HISTORIES}&access_token=${encoded}` },
      { path: `${HISTORIES}&token=${secret}&color=${encoded}`, headers: { authorization } },
      { path: `/nowhere/${encoded}?api_key=${secret}`, headers: { authorization } },
      { path: INVITE, method: 'POST', headers: { authorization }, form: { token: secret, 'data[0][role]': secret } },
      { path: HISTORIES, headers: { 'x-auth-token': secret, cookie: `session=${secret}` } },
    ],
  )
  const { out, err } = await runBinary(t, words, { cwd })
  const written = ['j.xml', 's.md', 'c.json'].map((file) => [file, readFileSync(join(cwd, file), 'utf8')] as const)
  for (const [of, text] of [['stdout', out], ['stderr', err], ...written] as const) {
    t.notOk(text.includes('sEcReT'), `${of}: the secret is not there`)
    t.notOk(text.includes(encoded), `${of}: the secret is not there, encoded`)
  }
  t.match([out, err, ...written].join(), '[redacted]', 'something stands in its place')
})
