import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { Options } from '../schemas/config.js'
import { contracts } from '../schemas/contracts.js'
import { outcomeIds } from '../schemas/scenario.js'
import { commands } from '../src/cli/commands.js'
import { environmentOf, flagOf } from '../src/server/options.js'
import { folder, launch, run as runBinary, serve as serveBinary, until } from './binary.js'
import { run, serve } from './command-line.js'

const CONFIG = 'countersign.config.yaml'
const UUID = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
/** How many scenarios the package has. */
const shipped = readdirSync(new URL('../fixtures/scenarios/', import.meta.url)).length
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

t.test('the banner says where it listens, who may call, and a line to paste for each operation', async (t) => {
  const { url, out } = await serveBinary(t)
  await until(() => out().includes('/link?email='))
  for (const line of [url, `${url}/~NAME`, `${url}/__admin`, 'token-admin', 'token-member'])
    t.match(out(), line, `the banner says ${line.replace(url, 'the address')}`)
  const lines = out().match(/^ +curl .*$/gm) ?? []
  t.equal(lines.length, contracts.length, 'each operation has a line')
  for (const [at, line] of lines.entries()) {
    const { out, err } = await launch(t, 'sh', ['-c', `${line} -sS -w ' %{http_code}'`]).ended
    t.match(out, / 200$/, `the line for ${contracts[at]?.id} succeeds`, { err })
  }
})

t.test('the lines to paste name records that the first user may use', async (t) => {
  const [firstUser, other] = [UUID(1), UUID(2)]
  const person = { user_type: 'ENTERPRISE_API', organization_id: 7, permissions: [], first_name: 'A', last_name: 'B' }
  const fixtures = {
    version: 1,
    organizations: [{ id: 7, uuid: UUID(3), name: 'Seven' }],
    users: [
      { ...person, uuid: firstUser, token: 'mine', email: 'mine@example.test' },
      { ...person, uuid: other, token: 'other', email: 'other@example.test' },
    ],
    projects: [
      { uuid: UUID(4), user_uuid: other, name: 'Another one' },
      { uuid: UUID(5), user_uuid: firstUser, name: 'My own' },
    ],
    documents: [
      { code: 'REVOKED', user_uuid: firstUser, sha256: 'a'.repeat(64), status: 'revoked' },
      { code: 'ANOTHER', user_uuid: other, sha256: 'b'.repeat(64), status: 'verified' },
      { code: 'MY-OWN', user_uuid: firstUser, sha256: 'c'.repeat(64), status: 'verified' },
    ],
  }
  const cwd = folder(t, { 'fixtures.json': JSON.stringify(fixtures) })
  const { out } = await serve(t, ['--fixtures', 'fixtures.json'], { cwd })
  const words = { token: 'mine', document: 'MY-OWN', project: UUID(5), organization: 'organization_id\\]=7' }
  for (const [what, word] of Object.entries(words))
    t.match(out(), new RegExp(`curl .*${word}`), `the ${what} is the first user's`)
  t.notMatch(out(), /REVOKED|ANOTHER|-000000000004/, 'nothing that would be refused is named')
})

/** What is wrong on a command line, and what is said of it. */
const mistakes: readonly (readonly [args: string, says: RegExp])[] = [
  [
    '--prot 1',
    /^countersign: The flag '--prot' is unknown\. Did you mean '--port'\? 'countersign --help' lists all\.$/m,
  ],
  ['exec --junt=x -- true', /'--junt' is unknown\. Did you mean '--junit'\?/],
  ['strat', /There is no command 'strat'\. Did you mean 'start'\?/],
  ['start later', /'later' is not expected here/],
  ['init here', /'here' is not expected here/],
  ['explain slow-network twice', /'twice' is not expected here/],
  ['--port', /--port needs a value: a whole number from 0 to 65535/],
  ['--port --strict', /--port needs a value/],
  ['--port 65536', /--port must be a whole number from 0 to 65535, not '65536'/],
  ['--auth knwon', /--auth must be one of known, any, not 'knwon'\. Did you mean 'known'\?/],
  ['--strict=maybe', /--strict must be true or false, not 'maybe'/],
  ['--clock 5', /an ISO 8601 time from 1970 on .*, not '5'/],
  ['--clock 0001-01-01T00:00:00Z', /from 1970 on .*, not '0001-01-01T00:00:00Z'/],
  ['--clock +010000-01-01T00:00:00Z', /not '\+010000-01-01T00:00:00Z'/],
  ['--clock yesterday', /--clock must be 'real' or an ISO 8601 time.*, not 'yesterday'/],
  ['--smtp localhost', /--smtp must be a URL such as smtp:\/\/127\.0\.0\.1:1025, not 'localhost'/],
  ['--body-limit 0', /--body-limit must be .*, not '0'/],
  ['--scenario verifyDocument:409', /There is no scenario 'verifyDocument:409'\. Did you mean 'verifyDocument:40\d'/],
  ['--host 192.0.2.1 --port 0', /The host '192\.0\.2\.1' is not an address of this machine: use 127\.0\.0\.1/],
  ['--config none.yaml', /none\.yaml: The file cannot be read: it does not exist/],
  ['--fixtures none', /none: The fixtures cannot be read: it does not exist/],
  ['explain', /Name a scenario: countersign explain NAME\. Available: empty-account, [a-z, -]+\.$/m],
  ['explain slow', /There is no scenario 'slow'\. Did you mean 'slow-everything'\?/],
  ['list secrets', /There is no list of 'secrets'\..* Lists: operations, outcomes, scenarios, tokens/],
  ['openapi --version 2', /--version must be one of 3\.1, 3\.0, not '2'/],
  ['seed --credits 5', /--out is missing\. Usage: countersign seed --out FOLDER/],
  ['seed --out /dev/null/x', /x: The file cannot be written: a file is where a folder should be\.$/m],
  ['seed --out x --credits many', /--credits must be a whole number from 0 to \d+, not 'many'/],
]

t.test('what is wrong on the command line is said in one line, with exit code 1', async (t) => {
  for (const [args, says] of mistakes) {
    const { code, out, err } = await run(t, args.split(' '))
    t.match(err, says, `${args}: it is said what is wrong`)
    t.match(
      { code, out, lines: err.trim().split('\n').length },
      { code: 1, out: '', lines: 1 },
      `${args}: it fails with one line`,
    )
  }
})

t.test('a taken port is said to be taken', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  const { port } = (await until(() => other.address())) as { port: number }
  const { code, err } = await runBinary(t, ['--port', `${port}`])
  t.equal(code, 1, 'the start fails')
  t.equal(
    err,
    `countersign: Port ${port} on 127.0.0.1 is already in use. Stop the other program, or use --port 0.\n`,
    'the way out is reported',
  )
})

/** Files that cannot be used, and what is said of them. */
const broken: readonly (readonly [what: string, files: Record<string, string>, args: string[], says: RegExp])[] = [
  [
    'an unknown key',
    { [CONFIG]: 'port: 0\nstrikt: true\n' },
    [],
    /countersign\.config\.yaml:2:1: The key 'strikt' is unknown\. Did you mean 'strict'\?/,
  ],
  [
    'a wrong value',
    { [CONFIG]: 'port: zero\n' },
    [],
    /countersign\.config\.yaml:1:7: 'port' must be .*, not 'zero'\.\n> 1 \| port: zero\n {4}\| {7}\^/,
  ],
  [
    'an unknown scenario',
    { [CONFIG]: 'active: [itt]\n', 'scenarios/it.yaml': '' },
    [],
    /There is no scenario 'itt'\. Did you mean 'it'\?/,
  ],
  [
    'broken JSON',
    { 'countersign.config.json': '{\n  "port": 0\n  "host": 1 }' },
    [],
    /countersign\.config\.json:3:3: /,
  ],
  [
    'a wrong fixture',
    { 'fx.json': '{ "users": [{ "token": 1 }] }' },
    ['--fixtures', 'fx.json'],
    /fx\.json:1:24: 'users\.0\.token' must be text/,
  ],
  ['a broken fixture', { 'fx/users.json': '[' }, ['--fixtures', 'fx'], /fx\/users\.json:\d+:\d+: /],
  [
    'a folder without fixtures',
    { 'fx/notes.txt': '' },
    ['--fixtures', 'fx'],
    /The folder holds no fixtures: put files such as users\.json there/,
  ],
  [
    'a wrong scenario',
    { 'scenarios/it.yaml': 'rules: [{ on: x }]' },
    ['--scenario', 'it'],
    /scenarios\/it\.yaml:1:15: 'rules\.0\.on' must be one of/,
  ],
]

t.test('files that cannot be used stop the start, in clear words', async (t) => {
  for (const [what, files, args, says] of broken) {
    const { code, err } = await run(t, [...args, '--port', '0'], { cwd: folder(t, files) })
    t.equal(code, 1, `${what}: the start fails`)
    t.match(err, says, `${what}: it is said what is wrong and where`)
    t.notMatch(err, /\bat .*:\d+:\d+\)?$/m, `${what}: no stack is printed`)
  }
})

t.test('a flag beats the environment beats the config file beats the default', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'clock: 2001-01-01T00:00:00Z\njournal-size: 5\n' })
  const env = { COUNTERSIGN_CLOCK: '2002-01-01T00:00:00Z', COUNTERSIGN_SCENARIO: 'expired-token, verifyDocument:404' }
  const year = async (args: string[], place: { cwd?: string; env?: Record<string, string> }) => {
    const { url } = await serve(t, args, place)
    const clock = (await (await fetch(`${url}/__admin/clock`)).json()) as { now: string; frozen: boolean }
    const { scenarios } = (await (await fetch(`${url}/__admin/scenarios`)).json()) as {
      scenarios: { name: string; active: boolean }[]
    }
    return [clock.frozen && clock.now.slice(0, 4), ...scenarios.filter((one) => one.active).map(({ name }) => name)]
  }
  t.same(
    await year(['--clock=2003-01-01T00:00:00Z', '--scenario', 'empty-account'], { cwd, env }),
    ['2003', 'empty-account'],
    'a flag beats the environment',
  )
  t.same(
    await year([], { cwd, env }),
    ['2002', 'expired-token', 'verifyDocument:404'],
    'the environment beats the config file',
  )
  t.same(await year([], { cwd }), ['2001'], 'the config file beats the default')
  t.same(await year([], {}), [false], 'the default is the real time')
  const { code, err } = await run(t, [], { env: { COUNTERSIGN_PORT: 'eighty' } })
  t.match(
    { code, err },
    { code: 1, err: /COUNTERSIGN_PORT must be a whole number from 0 to 65535, not 'eighty'/ },
    'a wrong variable is named',
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} ends it at once, whatever hangs`, async (t) => {
    const { url, child, ended } = await serveBinary(t)
    const { port } = new URL(url)
    const send = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text, () => resolve()))
        socket.on('error', () => {})
      })
    await send('GET /api/v2/credits/histories HTTP/1.1\r\nHost: x\r\n')
    await send('POST /client/signature HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nslow')
    await send('GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await send('GET /__admin/outbox?wait=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await send('GET /api/v2/credits/histories?__fault=TIMEOUT HTTP/1.1\r\nHost: x\r\n\r\n')
    await send('GET /api/v2/credits/histories?__code=200&__delay=60000 HTTP/1.1\r\nHost: x\r\n\r\n')
    await fetch(`${url}/__admin/health`)
    const started = performance.now()
    child.kill(signal)
    t.match(await ended, { code: 0, signal: null, err: '' }, 'it ends well')
    t.ok(performance.now() - started < 20_000, 'it ends without waiting a minute')
  })
}

t.test('list prints operations, outcomes, scenarios and tokens', async (t) => {
  const { out } = await run(t, ['list', '--scenario', 'empty-account'])
  for (const { id, path } of contracts)
    t.match(out, new RegExp(`^ {2}${id} +(GET|POST|PUT) +${path.replace(/[{}]/g, '.')} `, 'm'), `${id} is listed`)
  for (const outcome of outcomeIds)
    t.match(out, new RegExp(`^ {2}${outcome} +(shown|bodyNotShown|assumed) `, 'm'), `${outcome} is listed`)
  t.match(out, /^ {2}empty-account +on +An account/m, 'a scenario is listed, and whether it is on')
  t.match(out, /^ {2}token-admin +amelie/m, 'a token is listed with its user')
  const { out: tokens } = await run(t, ['list', 'tokens'])
  t.match(tokens, /^Tokens\n {2}token-admin/, 'one list may be asked for')
  t.notMatch(tokens, 'Operations', 'the other lists are left out')
})

t.test('explain tells what a scenario will do', async (t) => {
  const rules = [
    {
      on: 'verifyDocument',
      when: { body: { code: { startsWith: 'D', contains: '9' } }, token: 't' },
      times: 2,
      answer: { delay: 9 },
    },
    { on: '*', chance: 0.25, answer: { headers: { 'x-a': 'b' } }, then: 'Over' },
  ]
  const cwd = folder(t, { 'scenarios/late.json': JSON.stringify({ rules }) })
  const late = await run(t, ['explain', 'late'], { cwd })
  t.same(
    late.out.split('\n').slice(2, 5),
    [
      "1. The first 2 calls of verifyDocument where the token is 't' and body code starts with 'D' and contains '9': they are answered as usual after 9 ms.",
      "2. Calls of any operation, 25 in 100 of them (drawn from the seed): they are answered as usual, with the headers x-a. Then the scenario is in the state 'Over'.",
      'Any other call is answered as usual.',
    ],
    'each rule is told in a sentence',
  )
  const scenario = await run(t, ['explain', 'saved-but-failed'])
  t.match(
    scenario.out,
    '1. The first call of updateSubOrganizationMember: the operation takes place, but then the answer is 500.',
    'a shipped scenario is explained',
  )
  const outcome = await run(t, ['explain', 'verifyDocument:404'])
  t.match(
    outcome.out,
    'Every call of verifyDocument is answered with 404, before anything is checked.',
    'an outcome is explained',
  )
})

t.test('validate tells all that is wrong at once', async (t) => {
  const files = {
    [CONFIG]: 'fixtures: fx.json\nactive: [it, gone]\n',
    'fx.json': '{ "projects": [{ "uuid": "a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11", "user_uuid": "u", "name": "x" }] }',
    'scenarios/it.yaml': 'rules: [{ on: verifyDocument, answer: { status: 409 } }]',
    'scenarios/that.yaml': 'extends: [them]',
  }
  const { code, out, err } = await run(t, ['validate', '--scenario', 'nope'], { cwd: folder(t, files) })
  t.match({ code, out }, { code: 1, out: '' }, 'it fails, and prints nothing else')
  for (const [what, says] of [
    [
      'a reference',
      /^fx\.json:1:\d+: 'user_uuid' refers to a record that does not exist|^fx\.json:1:\d+: 'projects\.0\.user_uuid' must be/m,
    ],
    ['a status', /^scenarios\/it\.yaml:1:\d+: verifyDocument does not declare 409/m],
    ['a scenario that is extended', /^scenarios\/that\.yaml:1:11: There is no scenario 'them'/m],
    ['a scenario of the config file', /^countersign\.config\.yaml:2:14: There is no scenario 'gone'\./m],
    ['a scenario of a flag', /^--scenario: There is no scenario 'nope'\./m],
    ['the count', /^5 complaints\.$/m],
  ] as const)
    t.match(err, says, `${what} is reported`)
  const well = await run(t, ['validate'])
  t.match(
    well,
    {
      code: 0,
      out: new RegExp(`^No problems found: no config file, \\d+ fixtures, ${shipped} scenarios\\.$`, 'm'),
      err: '',
    },
    'what is shipped is valid',
  )
})

t.test('init writes files to start from, which are valid, served and never overwritten', async (t) => {
  const cwd = folder(t)
  t.match(
    await run(t, ['init'], { cwd }),
    {
      code: 0,
      out: /wrote countersign\.config\.yaml\n[\s\S]*wrote scenarios\//,
    },
    'it says what it writes',
  )
  t.match(
    await run(t, ['validate'], { cwd }),
    {
      code: 0,
      out: new RegExp(`No problems found: .*countersign\\.config\\.yaml, \\d+ fixtures, ${shipped + 1} scenarios`),
    },
    'what it writes is valid',
  )
  const { url, out } = await serve(t, [], { cwd })
  t.match(out(), /token-mine/, 'what it writes is served')
  const histories = (token: string) =>
    fetch(`${url}/api/v2/credits/histories`, { headers: { authorization: `Bearer ${token}` } })
  for (const token of ['token-mine', 'token-admin', 'token-member'])
    t.equal((await histories(token)).status, 400, `${token} is known`)
  const form = new FormData()
  form.append('file', new Blob([readFileSync('fixtures/files/verified.pdf')], { type: 'application/pdf' }), 'a.pdf')
  form.append('user_uuid', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31')
  const verified = await fetch(`${url}/api/v2/verifications/document/verify?user_type=ENTERPRISE_API`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-admin' },
    body: form,
  })
  t.equal(verified.status, 200, 'the default world is there, too')
  t.match(
    await run(t, ['init'], { cwd }),
    { code: 1, err: /Already there: countersign\.config\.yaml.*\. Move them away first\./ },
    'what is there is not overwritten',
  )
})

t.test('what init writes is edited as a newcomer would', async (t) => {
  const cwd = folder(t)
  await run(t, ['init'], { cwd })
  const config = join(cwd, CONFIG)
  const written = readFileSync(config, 'utf8')
  for (const name of ['first-save-fails', 'addOrganizationMember:409', 'gateway:503']) {
    writeFileSync(config, written.replace(`#  - ${name}`, `  - ${name}`))
    t.match(
      (await serve(t, [], { cwd })).out(),
      `\n  on             ${name}\n`,
      `${name} is on when its line is no comment`,
    )
  }
})

t.test('two config files are told apart, and init makes no second one', async (t) => {
  const cwd = folder(t, { 'countersign.config.json': '{ "active": ["service-down"] }' })
  t.match(await run(t, ['init'], { cwd }), {
    code: 1,
    err: /Already there: countersign\.config\.json\. Move it away first\./,
  })
  t.same(readdirSync(cwd), ['countersign.config.json'], 'nothing is written')
  const two = folder(t, { [CONFIG]: '', 'countersign.config.json': '{}' })
  for (const command of ['start', 'validate'])
    t.match(await run(t, [command], { cwd: two }), {
      code: 1,
      err: /config\.json: There is another config file beside it, countersign\.config\.yaml, .*remove one of them/,
    })
  const blocked = folder(t, { scenarios: 'a file' })
  t.match(await run(t, ['init'], { cwd: blocked }), { code: 1, err: /scenarios/ })
  t.same(readdirSync(blocked), ['scenarios'], 'where it cannot write all, it writes nothing')
})

t.test('a mistake in the config hides no other', async (t) => {
  const cwd = folder(t, {
    [CONFIG]: 'fixtures: f.json\nactive: [gone]\nbad: 1\nport: x\n',
    'f.json': '{ "users": 1 }',
  })
  const { err } = await run(t, ['validate'], { cwd })
  for (const one of [
    /'bad' is unknown/,
    /'port' must be/,
    /f\.json:1:\d+: 'users' must be a list/,
    /2:10: There is no scenario 'gone'/,
  ])
    t.match(err, one)
})

t.test('init refers to the schemas where the package is installed, wherever that is', async (t) => {
  const schemas = (at: string) =>
    Object.fromEntries(
      ['config', 'scenario', 'fixtures'].map((name) => [`${at}/dist/schemas/${name}.schema.json`, '{}']),
    )
  for (const [what, at, inside] of [
    ['in the project', 'app/node_modules/countersign', true],
    ['above it, as workspaces have it', 'node_modules/countersign', true],
    ['nowhere', 'other/node_modules/countersign', false],
  ] as const) {
    const root = folder(t, schemas(at))
    const cwd = join(root, 'app')
    mkdirSync(cwd, { recursive: true })
    await run(t, ['init'], { cwd })
    for (const [file, pattern] of [
      ['countersign.config.yaml', /\$schema=(\S+)/],
      ['scenarios/first-save-fails.yaml', /\$schema=(\S+)/],
      ['countersign.fixtures.json', /"\$schema": "(.*)"/],
    ] as const) {
      const path = join(cwd, file)
      const [, reference] = pattern.exec(readFileSync(path, 'utf8')) ?? []
      if (inside)
        t.ok(reference && existsSync(join(dirname(path), reference)), `${what}: ${file} refers to ${reference}`)
      else t.equal(reference, undefined, `${what}: ${file} refers to nothing`)
    }
  }
})

t.test('openapi prints the document, as the package ships it', async (t) => {
  const { out } = await run(t, ['openapi'])
  t.same(JSON.parse(out), JSON.parse(read('../openapi.json')), 'it is the shipped document')
  t.equal(
    JSON.parse((await run(t, ['openapi', '--version', '3.0'])).out).openapi,
    '3.0.3',
    'OpenAPI 3.0 is had by --version',
  )
  t.same(parse((await run(t, ['openapi', '--yaml'])).out), JSON.parse(out), 'YAML says the same')
})

t.test('seed writes the same bytes for the same seed, and what it writes is served', async (t) => {
  const cwd = folder(t)
  const bytes = (name: string) =>
    readdirSync(join(cwd, name)).map((file) => [file, readFileSync(join(cwd, name, file), 'utf8')])
  const counts = ['--credits', '50', '--attachments', '5', '--members', '5', '--sub-members', '5', '--documents', '5']
  for (const [out, seed] of [
    ['a', '7'],
    ['b', '7'],
    ['c', '8'],
  ] as const)
    t.match(
      await run(t, ['seed', '--out', out, '--seed', seed, '--until', '2026-06-30', ...counts], { cwd }),
      {
        code: 0,
        out: /--fixtures \w serves/,
      },
      `the folder ${out} is written`,
    )
  t.same(bytes('a'), bytes('b'), 'the same seed gives the same bytes')
  t.not(JSON.stringify(bytes('a')), JSON.stringify(bytes('c')), 'another seed gives others')
  const written = JSON.parse(readFileSync(join(cwd, 'a', 'credit_histories.json'), 'utf8'))
  const known = new Set(
    JSON.parse(read('../fixtures/credit_histories.json')).credit_histories.map(({ id }: { id: string }) => id),
  )
  const credit_histories = written.credit_histories.filter(({ id }: { id: string }) => !known.has(id))
  const valuesOf = (name: string) =>
    [...new Set(credit_histories.map((one: Record<string, string>) => one[name]))].sort()
  t.same(valuesOf('type'), ['allocation', 'free_credit', 'purchase', 'return'], 'every documented type comes')
  const times = valuesOf('created_at').map((one) => Date.parse(String(one)))
  t.ok(Math.max(...times) < Date.parse('2026-07-01'), 'nothing is later than the day that is given')
  t.ok(Math.max(...times) > Date.parse('2026-06-01'), 'there are records of the last thirty days before it')
  t.same(valuesOf('currency'), ['CHF', 'EUR', 'GBP', 'USD'], 'with several currencies')
  t.match(
    await run(t, ['validate', '--fixtures', 'a'], { cwd }),
    { code: 0, out: 'No problems found' },
    'what it writes is valid',
  )
  await run(t, ['seed', '--out', 'today', '--credits', '50'], { cwd })
  const recent = readFileSync(join(cwd, 'today', 'credit_histories.json'), 'utf8')
  const month = Date.now() - 30 * 24 * 3_600_000
  t.ok(
    [...recent.matchAll(/"created_at":"([^"]+)"/g)].filter(([, at]) => Date.parse(at as string) > month).length > 3,
    'without a day, there are records of the last thirty days',
  )
  for (const day of ['yesterday', '2025-02-30', '2025-6-1', '2025-06-30T12:00', ''])
    t.match(
      await run(t, ['seed', '--out', 'never', `--until=${day}`], { cwd }),
      { code: 1, err: /--until (must be a day such as 2026-01-15|needs a value)/ },
      `--until=${day} is refused`,
    )
  t.match(
    await run(t, ['seed', '--out', 'a'], { cwd }),
    { code: 1, err: /a is not empty, and is left alone/ },
    'a folder in use is left alone',
  )
})

t.test('--help names every command, flag and variable; --version the version', async (t) => {
  const { code, out } = await run(t, ['start', '--help'])
  t.equal(code, 0, 'it ends well')
  for (const [name, { usage, does }] of Object.entries(commands))
    t.ok(out.includes(usage) && out.includes(does), `the command ${name} is there`)
  for (const name of Object.keys(Options.properties)) {
    t.match(out, new RegExp(`^ {2}--${flagOf(name)} `, 'm'), `--${flagOf(name)} is there`)
    t.match(environmentOf(name), /^COUNTERSIGN_[A-Z_]+$/, `${name} has its variable`)
  }
  t.equal(
    (await runBinary(t, ['--version'])).out.trim(),
    JSON.parse(read('../package.json')).version,
    '--version prints the package’s version',
  )
})
