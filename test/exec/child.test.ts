import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CLI, folder, isRunning, launch, run as runBinary, until } from '../binary.js'
import { run } from '../command-line.js'
import { HISTORIES, MEMBER } from '../paths.js'
import { node, runExec } from './client.js'

t.test('the child finds the address of a ready server in its environment', async (t) => {
  const script = `
    const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token, COUNTERSIGN_ADMIN_URL: admin, COUNTERSIGN_ADMIN_TOKEN: key, MINE } = process.env
    const get = async (url, token) => (await fetch(url, { headers: { authorization: 'Bearer ' + token } })).status
    get(url + '${HISTORIES}', token).then(async (api) =>
      console.log(JSON.stringify({ url, admin, token, MINE, api, health: await get(admin + '/health', key) })))`
  const cwd = folder(t, { 'countersign.config.yaml': 'port: 1\n' })
  for (const args of [[], ['--admin-token', 'k-1']]) {
    const { code, out } = await runBinary(t, ['exec', ...args, ...node(script)], { cwd, env: { MINE: 'kept' } })
    t.equal(code, 0, `${args}: the child succeeds`)
    const seen = JSON.parse(out)
    const url = /^http:\/\/127\.0\.0\.1:\d{4,}$/
    t.match(seen, { url, admin: `${seen.url}/__admin`, token: 'token-admin', MINE: 'kept', api: 200, health: 200 })
  }
})

t.test('the child calls the server directly, even if the environment has a proxy', async (t) => {
  const script = 'const { NO_PROXY, no_proxy } = process.env; console.log(NO_PROXY, no_proxy)'
  for (const [env, out] of [
    [{ HTTP_PROXY: 'http://127.0.0.1:9', no_proxy: 'a.test' }, 'a.test,127.0.0.1 a.test,127.0.0.1\n'],
    [{ https_proxy: 'http://127.0.0.1:9', NO_PROXY: '*' }, '* *\n'],
  ] as const)
    t.equal((await runBinary(t, ['exec', '--allow-idle', ...node(script)], { env })).out, out)
})

t.test('exec exits with the exit code of the child', async (t) => {
  for (const [words, code, message, start = run] of [
    [node('process.abort()'), 134, /./, runBinary],
    [['--', '/'], 126, /'\/' cannot be run/],
    [
      ['--fail-on', 'unmatched', '--require', 'verifyDocument:404', ...node('process.exit(3)')],
      3,
      /Not judged, because the command did not succeed: unmatched, require/,
    ],
    [[], 2, /Put the command to run after --: npx countersign exec \[options\] -- npm test/],
    [['--', ''], 2, /-- npm test\. The command is ''\. Is a variable empty\?/],
    [['npm', 'test'], 2, /'npm' is not expected before --/],
  ] as const)
    t.match(await start(t, ['exec', ...words]), { code, err: message }, `exec ${words.join(' ')}`)
})

t.test('signals go to the child, whose exit code counts', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const script = `process.on('${signal}', () => { console.log('bye'); process.exit(5) }); console.log('ready'); setInterval(() => {}, 1e3)`
    const running = launch(t, process.execPath, [CLI, 'exec', ...node(script)])
    await until(() => running.out().includes('ready'))
    running.child.kill(signal)
    t.match(await running.ended, { code: 5, signal: null, out: /ready\nbye/ }, `${signal} reaches the child`)
  }
})

const TIDY = `process.on('SIGTERM', () => setTimeout(() => { console.log('tidied'); process.exit(0) }, 500))`
const STUBBORN = `process.on('SIGTERM', () => {})`

const BASH = "bash -c 'true\nnode suite.mjs\ntrue'"
const NPM = 'npm test'

t.test('a signal ends every process of a suite, after a cleanup', { skip: process.platform !== 'linux' }, async (t) => {
  const checks = Object.entries({ [BASH]: TIDY, [NPM]: STUBBORN }).map(async ([wrapper, onSignal]) => {
    const script = `import { writeFileSync } from 'node:fs'\n${onSignal}\nwriteFileSync('pids', process.pid + ' ' + process.env.EXEC)\nsetInterval(() => {}, 1e3)`
    const cwd = folder(t, { 'suite.mjs': script, 'package.json': '{"scripts":{"test":"node suite.mjs"}}' })
    const line = `exec env EXEC=$$ "${process.execPath}" "${CLI}" exec -- ${wrapper}`
    const running = launch(t, 'sh', ['-c', line], { cwd })
    const [suite = 0, exec = 0] = await until(() => readPids(cwd))
    const started = performance.now()
    process.kill(exec, 'SIGTERM')
    await until(() => !isRunning(suite))
    const { out } = await running.ended
    if (onSignal === TIDY) t.match(out, 'tidied', `${wrapper}: the suite tidies up`)
    else t.ok(performance.now() - started > 4_500, `${wrapper}: it is killed only after five seconds`)
  })
  await Promise.all(checks)
})

function readPids(cwd: string): readonly number[] | undefined {
  const text = existsSync(join(cwd, 'pids')) ? readFileSync(join(cwd, 'pids'), 'utf8') : ''
  return /^\d+ \d+$/.test(text) ? text.split(' ').map(Number) : undefined
}

t.test('no process is left behind', { skip: process.platform === 'win32' }, async (t) => {
  const { out } = await runBinary(t, ['exec', '--', 'sh', '-c', 'sleep 300 > /dev/null 2>&1 & echo $!'])
  await until(() => !isRunning(Number(out.trim())))
})

t.test('gates are not judged if a signal ends the command, even if it exits with 0', async (t) => {
  const script = `process.on('SIGTERM', () => process.exit(0)); console.log('ready'); setInterval(() => {}, 1e3)`
  const { child, out, ended } = launch(t, process.execPath, [CLI, 'exec', '--fail-on', 'unmatched', ...node(script)])
  await until(() => out().includes('ready'))
  child.kill('SIGTERM')
  t.match(await ended, { code: 143, err: /Not judged, because the command did not succeed: unmatched\./ })
})

const misnamed = { path: `/~worker-1${MEMBER}`, method: 'PUT', form: { rolle: 'Admin' } }
const resetWithTitle = (title: string) => ({
  path: '/~worker-1/__admin/reset',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ title }),
})

t.test('a gate shows the title of the test that reset the sandbox', async (t) => {
  const sent = [resetWithTitle('members.test.ts > saves a role'), misnamed]
  const { err } = await runExec(t, ['--fail-on', 'violations'], sent)
  t.match(err, /\(once, in PUT \/~worker-1\/api.*, in the test 'members\.test\.ts > saves a role'\)/)
  const untitled = [...sent.slice(0, 1), { ...resetWithTitle(''), text: '' }, misnamed]
  t.notMatch((await runExec(t, ['--fail-on', 'violations'], untitled)).err, /in the test/, 'only until the next reset')
})

t.test('terminal, summary and JUnit report violations that are not counted', async (t) => {
  const cwd = folder(t)
  const pageZero = { path: HISTORIES.replace('page=1', 'page=0') }
  const args = ['--summary', 's.md', '--junit', 'j.xml', '--fail-on']
  const uncounted =
    /Violations that rest on interpretations only are not counted \(2\): --fail-on violations:all counts them\./
  const { code, err } = await runExec(t, [...args, 'violations'], [pageZero, pageZero], { cwd })
  t.match({ code, err }, { code: 0, err: uncounted })
  t.match(readFileSync(join(cwd, 's.md'), 'utf8'), '⚠️ Violations that rest on interpretations only are not counted')
  const junit = readFileSync(join(cwd, 'j.xml'), 'utf8')
  t.match(junit, '<system-out>Violations that rest on interpretations only are not counted')
  const all = await runExec(t, [...args, 'violations:all'], [pageZero], { cwd })
  t.equal(all.code, 1)
  t.notMatch(all.err, /not counted/)
})
