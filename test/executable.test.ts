import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contracts } from '../schemas/contracts.js'
import { verifyDocument } from '../schemas/verify-document.js'
import { folder } from './binary.js'
import { buildExecutable, home, noExecutable, runBare, serveBare } from './executable.js'
import { type Changes, fixtureFile, requestOf } from './helper.js'

const skip = noExecutable
const EXECUTABLE = skip ? '' : buildExecutable(t)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const run = (t: Test, args: readonly string[], place?: Parameters<typeof runBare>[2]) =>
  runBare(t, [EXECUTABLE, ...args], place)
const serve = (t: Test, place?: Parameters<typeof serveBare>[2]) => serveBare(t, EXECUTABLE, place)

function send(base: string, contract: (typeof contracts)[number], changes?: Changes): Promise<Response> {
  const { method, url, headers, payload } = requestOf(contract, changes)
  return fetch(base + url, { method, headers, ...(payload && { body: payload }) } as RequestInit)
}

/** What the reader of PDFs says of files that no document has. */
async function readsPdfs(t: Test, url: string): Promise<void> {
  const expected = { 'unknown.pdf': 404, 'encrypted.pdf': 'is encrypted', 'damaged.pdf': 'is damaged' }
  for (const [name, result] of Object.entries(expected)) {
    const form = { file: fixtureFile(name, 'application/pdf'), code: undefined }
    const response = await send(url, verifyDocument, { form })
    if (typeof result === 'number') t.equal(response.status, result, `${name} is answered with ${result}`)
    else t.match(await response.text(), result, `${name} ${result}`)
  }
}

t.test('commands need no environment', { skip }, async (t) => {
  const expected: Readonly<Record<string, RegExp>> = {
    '--version': new RegExp(`^${version.replaceAll('.', '\\.')}\n$`),
    '--help': /Usage|countersign start/i,
    list: /verifyDocument +POST[\s\S]+flaky-network/,
    openapi: /^\{\n {2}"openapi": "3\.1/,
    'openapi --yaml': /^openapi: 3\.1/,
    validate: /./,
    'explain flaky-network': /./,
    'list statements': /S6\.3/,
  }
  await Promise.all(
    Object.entries(expected).map(async ([command, output]) => {
      const { code, out, err } = await run(t, command.split(' '))
      t.match([code, err], [0, ''], `${command} succeeds`)
      t.match(out, output, `${command} prints what it should`)
    }),
  )
})

t.test(
  'a server without an environment answers all that the package answers, and leaves nothing',
  { skip },
  async (t) => {
    const { url, unpacked, child, ended } = await serve(t)
    t.equal(statSync(unpacked).mode & 0o777, 0o700, 'it is unpacked where nobody else can look')
    t.match(await (await fetch(`${url}/__admin/health`)).json(), { status: 'ok', version }, 'it is well')
    for (const page of ['', 'docs']) {
      const response = await fetch(`${url}/__admin/${page}`)
      t.match([response.status, await response.text()], [200, /<html[\s\S]+<\/html>/], `/__admin/${page} is a page`)
    }
    for (const contract of contracts) {
      const response = await send(url, contract)
      t.match([response.status, await response.json()], [200, Object], `${contract.id} answers`)
    }
    await readsPdfs(t, url)
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, signal: null, err: '' }, 'SIGTERM ends it in order')
    t.notOk(existsSync(unpacked), 'the temporary folder is gone')
  },
)

t.test('in a home, the first start unpacks for all others', { skip }, async (t) => {
  const { env, shelf, temporary } = home(t)
  const starts = await Promise.all([serve(t, { env }), serve(t, { env }), run(t, ['--version'], { env })])
  const [first, second] = starts
  t.match(starts[2], { code: 0, err: '' }, 'a command that starts meanwhile succeeds')
  t.equal(first.unpacked, second.unpacked, 'two servers that start at once share a folder')
  t.match(readdirSync(shelf), [new RegExp(`^${version}-[0-9a-f]{16}$`)], 'there is no other')
  t.same(
    [shelf, first.unpacked].map((one) => statSync(one).mode & 0o777),
    [0o700, 0o700],
    "it is the user's alone",
  )
  t.same(temporary(), [], 'no temporary folder is made')
  await readsPdfs(t, first.url)
  for (const { child, ended } of [first, second]) {
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, err: '' }, 'SIGTERM ends it in order')
  }
  const { unpacked } = await serve(t, { env })
  t.equal(unpacked, first.unpacked, 'a later start takes it as well')
})

t.test('of many first starts at once, none needs a temporary folder', { skip }, async (t) => {
  for (const round of ['once', 'again', 'and again']) {
    const { env, shelf } = home(t)
    const looks = Array.from({ length: 6 }, () => run(t, ['exec', '--', '/bin/ls', env.TMPDIR], { env }))
    for (const { code, out } of await Promise.all(looks)) t.same([code, out], [0, ''], `${round}: all use the cache`)
    t.equal(readdirSync(shelf).length, 1, `${round}: nothing else stays in it`)
  }
})

t.test('init writes files that validate', { skip }, async (t) => {
  const { env } = home(t)
  const cwd = folder(t)
  t.match(await run(t, ['init'], { cwd, env }), { code: 0, out: /wrote countersign\.config\.yaml/ }, 'it writes')
  t.match(await run(t, ['validate'], { cwd, env }), { code: 0, err: '' }, 'they are valid')
})

t.test('the commands that write files and call a server', { skip }, async (t) => {
  const { env } = home(t)
  const cwd = folder(t)
  const { url } = await serve(t, { env })
  const expected: Readonly<Record<string, RegExp>> = {
    'seed --out more --credits 10': /more/,
    'validate --fixtures more': /./,
    [`verify --target ${url} --token token-admin`]: / 0 drift/,
    [`learn --target ${url} --token token-admin`]: /countersign\.learned\.yaml/,
    'exec --coverage shard.json -- /bin/sh -c true': /./,
    'coverage shard.json': /./,
  }
  for (const [command, output] of Object.entries(expected)) {
    const { code, out, err } = await run(t, command.split(' '), { cwd, env })
    t.equal(code, 0, `${command} succeeds`)
    t.match(out + err, output, 'and says so')
  }
})

t.test('exec gives its child the environment that it has', { skip }, async (t) => {
  const { env } = home(t)
  const own = await run(t, ['exec', '--', '/usr/bin/env'], { env: { ...env, NODE_OPTIONS: '--no-warnings' } })
  t.equal(own.code, 0, 'the child succeeds')
  const names = [...own.out.matchAll(/^(\w+)=/gm)].map(([, name]) => name).sort()
  const added = ['COUNTERSIGN_ADMIN_URL', 'COUNTERSIGN_TOKEN', 'COUNTERSIGN_URL']
  t.same(
    names.filter((name) => name !== '_' && name !== 'PWD'),
    [...added, 'HOME', 'NODE_OPTIONS', 'TMPDIR'],
    'only the addresses are new',
  )
  t.match(own.out, /^NODE_OPTIONS=--no-warnings$/m, 'and nothing is changed')
  t.match(await run(t, ['exec', '--', '/bin/sh', '-c', 'exit 7']), { code: 7 }, "the child's exit code is passed on")
})

t.test('nothing of the working directory is loaded as code', { skip }, async (t) => {
  const thrown = 'throw new Error("loaded")'
  const names = [
    'dist/cli.js',
    'dist/pdf-process.js',
    'cli.js',
    'index.js',
    'main.cjs',
    'node_modules/canvas/index.js',
    'node_modules/ajv/dist/runtime/equal.js',
  ]
  const cwd = folder(t, {
    ...Object.fromEntries(names.map((name) => [name, thrown])),
    'package.json': '{"type":"module","main":"index.js"}',
  })
  // A relative path to the cache would lead here.
  const { TMPDIR } = home(t).env
  const { url } = await serve(t, { cwd, env: { HOME: '.', XDG_CACHE_HOME: 'cache', TMPDIR } })
  await readsPdfs(t, url)
  t.notOk(existsSync(join(cwd, 'cache')) || existsSync(join(cwd, '.cache')), 'nothing is unpacked there')
  const word = join(cwd, 'dist/pdf-process.js')
  t.match(await run(t, [word], { cwd }), { code: 1, err: /There is no command/ }, 'a script is no command')
})

t.test('a damaged folder is mended', { skip }, async (t) => {
  const { env, shelf, temporary } = home(t)
  await run(t, ['--version'], { env })
  const unpacked = join(shelf, readdirSync(shelf)[0] as string)
  const damaged = ['package.json', 'dist/cli.js', 'fixtures/users.json'].map((name) => join(unpacked, name))
  const before = damaged.map((file) => readFileSync(file, 'utf8'))
  for (const file of damaged) truncateSync(file, 10)
  const starts = await Promise.all([run(t, ['validate'], { env }), run(t, ['validate'], { env })])
  for (const start of starts) t.match(start, { code: 0, err: '' }, 'a start succeeds')
  t.same(
    damaged.map((file) => readFileSync(file, 'utf8')),
    before,
    'the files are as they should be',
  )
  t.same(temporary(), [], 'no temporary folder is made')
})

/** What is where the cache should be, and whether that is worth a word. */
const unusable: Readonly<Record<string, { make: (shelf: string) => void; says?: RegExp; skip?: string | false }>> = {
  'a file above it': {
    make: (shelf) => writeFileSync(join(shelf, '..'), ''),
  },
  'a symbolic link': {
    make: (shelf) => {
      mkdirSync(join(shelf, '..'))
      mkdirSync(join(shelf, '../../elsewhere'))
      symlinkSync('../elsewhere', shelf)
    },
    says: /is not used, since it is a symbolic link/,
  },
  'a folder that others can write to': {
    make: (shelf) => {
      mkdirSync(shelf, { recursive: true })
      chmodSync(shelf, 0o777)
    },
    says: /is not used, since others can write to it/,
  },
  'a folder of another user': {
    make: (shelf) => {
      mkdirSync(shelf, { recursive: true })
      chownSync(shelf, 65_534, 65_534)
    },
    says: /is not used, since it belongs to another user/,
    skip: process.getuid?.() !== 0 && 'only root can give a folder away',
  },
}

t.test('a cache that cannot be trusted or written is left alone', { skip }, async (t) => {
  for (const [what, { make, says = /^$/, skip = false }] of Object.entries(unusable)) {
    t.test(what, { skip }, async (t) => {
      const { env, shelf, temporary } = home(t)
      make(shelf)
      const { unpacked, url, child, ended } = await serve(t, { env })
      t.ok(unpacked.startsWith(env.TMPDIR), 'the program is unpacked into a temporary folder')
      await readsPdfs(t, url)
      child.kill('SIGTERM')
      t.match(await ended, { code: 0, err: says }, 'it ends in order')
      t.same(temporary(), [], 'the temporary folder is gone')
      t.notOk(
        existsSync(join(shelf, 'dist')) || (existsSync(shelf) && readdirSync(shelf).length > 0),
        'nothing is put there',
      )
    })
  }
})

t.test('where nothing can be written, a start says so', { skip }, async (t) => {
  const { code, out, err } = await run(t, ['list'], { env: { TMPDIR: '/dev/null' } })
  t.match([code, out], [1, ''], 'it fails')
  t.match(
    err,
    /^countersign: The program cannot be unpacked: .+ Let HOME, XDG_CACHE_HOME or TMPDIR name a folder/,
    'with what to do',
  )
})

t.test('a signal that nobody listens to ends the program, and the temporary folder with it', { skip }, async (t) => {
  const { env, temporary } = home(t)
  const { child, ended } = await serve(t, { env: { TMPDIR: env.TMPDIR } })
  t.equal(temporary().length, 1, 'there is one')
  child.kill('SIGHUP')
  t.match(await ended, { signal: 'SIGHUP' }, 'the signal ends it')
  t.same(temporary(), [], 'the folder is gone')
})

t.test('folders of other versions are removed when they have not been used for long', { skip }, async (t) => {
  const { env, shelf } = home(t)
  const days = { '0.0.1-0123456789abcdef': 31, '0.0.2-0123456789abcdef': 29, '.unfinished-Ab12Cd': 1, 'not-ours': 99 }
  for (const [name, age] of Object.entries(days)) {
    mkdirSync(join(shelf, name, 'dist'), { recursive: true })
    const then = new Date(Date.now() - age * 86_400_000)
    utimesSync(join(shelf, name), then, then)
  }
  chmodSync(shelf, 0o700)
  t.match(await run(t, ['--version'], { env }), { code: 0, err: '' }, 'a new version starts')
  const left = readdirSync(shelf).sort()
  t.match(left, ['0.0.2-0123456789abcdef', new RegExp(`^${version}-`), 'not-ours'], 'what is used or not ours stays')
  t.equal(left.length, 3, 'and nothing else')
})
