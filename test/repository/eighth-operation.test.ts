import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folder } from '../binary.js'

/** A copy of the sources, to change. */
function copyOf(t: Test): string {
  const copy = folder(t)
  for (const part of ['src', 'schemas', 'scripts', 'fixtures', 'package.json', 'tsconfig.json', 'build.mjs'])
    cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function node(cwd: string, ...args: readonly string[]): string {
  const env = { ...process.env, NODE_OPTIONS: '' }
  return execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The compiler's complaints about some folders. */
function typeErrors(copy: string, include: readonly string[]): string {
  const config = { extends: './tsconfig.json', include, exclude: ['src/tools/dashboard/browser'] }
  writeFileSync(join(copy, 'some.json'), JSON.stringify(config))
  try {
    // The runner of these tests loads itself into every Node, where the compiler cannot be loaded as well.
    const compile = ['-u', 'NODE_OPTIONS', process.execPath, 'node_modules/.bin/tsc', '--noEmit', '-p', 'some.json']
    return execFileSync('env', compile, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    return `${stdout}${stderr}`
  }
}

t.test('an eighth operation takes two files and a line in each index', async (t) => {
  const copy = copyOf(t)
  cpSync('test/repository/count-seats/contract.txt', join(copy, 'schemas/count-seats.ts'))
  appendFileSync(join(copy, 'schemas/index.ts'), "export { countSeats } from './count-seats.js'\n")
  const index = join(copy, 'src/api/handlers.ts')
  t.match(typeErrors(copy, ['src/api/operations.ts']), 'countSeats', 'no contract compiles without its handler')
  cpSync('test/repository/count-seats/handler.txt', join(copy, 'src/mock/operations/handlers/count-seats.ts'))
  appendFileSync(index, "export { countSeats } from './count-seats.js'\n")
  node(copy, 'build.mjs')
  t.equal(typeErrors(copy, ['src', 'schemas']), '', 'all of it compiles')

  const cli = join(copy, 'dist/cli.js')
  const list = (name: string) => JSON.parse(node(copy, cli, 'list', name, '--json'))
  const listed = list('operations').find((one: { id: string }) => one.id === 'countSeats')
  t.match(listed, { path: '/api/v2/seats' }, 'it is listed')
  const outcomes = list('outcomes').map((one: { outcome: string }) => one.outcome)
  const own = outcomes.filter((one: string) => one.startsWith('countSeats'))
  t.strictSame(own, ['countSeats:200', 'countSeats:401'], 'it has no other outcomes')
  const mutants = list('mutants').filter((one: { mutant: string }) => one.mutant.startsWith('countSeats'))
  t.ok(mutants.length > 0, 'answers of it can be altered')
  const document = JSON.parse(node(copy, cli, 'openapi'))
  t.ok(document.paths['/api/v2/seats'].get, 'it is documented')

  const suite = `
    const { COUNTERSIGN_URL: url, COUNTERSIGN_ADMIN_URL: admin } = process.env
    const get = async (path, headers = { authorization: 'Bearer token-admin' }) => {
      const response = await fetch(path, { headers })
      return [response.status, await response.json()]
    }
    const [requests, coverage] = ['/requests', '/coverage'].map((path) => async () => (await get(admin + path))[1])
    const answers = [await get(url + '/api/v2/seats'), await get(url + '/api/v2/seats', {}), await get(url + '/api/v2/seats?page=1')]
    const [last] = (await requests()).requests
    console.log(JSON.stringify({ answers, last, coverage: await coverage() }))`
  const { answers, last, coverage } = JSON.parse(
    node(copy, cli, 'exec', '--', process.execPath, '--input-type=module', '-e', suite),
  )
  t.match(
    answers,
    [
      [200, { seats: 4 }],
      [401, { error: { code: 401 } }],
      [200, { seats: 4 }],
    ],
    'it is served',
  )
  t.match(last, { operation: 'countSeats', violations: [{ code: 'unknown-parameter' }] }, 'it is judged')
  const counted = coverage.outcomes.filter(({ outcome }: { outcome: string }) => outcome.startsWith('countSeats'))
  t.match(counted, [{ count: 2 }, { count: 1 }], 'it is covered')
})

t.test('the mock stands without its tools, the server and the command line', async (t) => {
  const copy = copyOf(t)
  cpSync('dist/assets', join(copy, 'dist/assets'), { recursive: true })
  for (const room of ['tools', 'server', 'cli', 'cli.ts', 'index.ts'])
    rmSync(join(copy, 'src', room), { recursive: true })
  t.equal(typeErrors(copy, ['src/mock', 'schemas']), '', 'it compiles')
  const start = `
    import { buildApp } from './src/engine/app.js'
    import { operations } from './src/api/operations.js'
    import { loadLibrary } from './src/engine/sandbox/scenarios/load.js'
    import { Sandboxes } from './src/engine/sandbox/sandboxes.js'
    import { readFixtures } from './src/engine/files/fixtures.js'
    import { defaultSwitches } from './src/api/switches.js'
    const settings = { host: '127.0.0.1', auth: 'known', strict: false, requireSandbox: false, bodyLimit: 1e6, journalSize: 10,
      seed: '1', clock: 'real', scenario: [], active: [], switches: defaultSwitches, secrets: [], acceptAfter: undefined }
    const { library } = await loadLibrary(operations.map(({ contract }) => contract), { folder: undefined })
    const sandboxes = new Sandboxes({ settings, library, seeded: { fixtures: await readFixtures('fixtures'), files: [] } })
    const app = buildApp(operations, sandboxes)
    const url = await app.listen({ port: 0 })
    const response = await fetch(url + '/api/v2/projects/protect?user_type=ENTERPRISE_API&keyword%5Bsample_1%5D=lease',
      { headers: { authorization: 'Bearer token-admin' } })
    const journal = await (await fetch(url + '/__admin/requests')).json()
    console.log(response.status, journal.requests.length)
    await app.close()`
  writeFileSync(join(copy, 'start.ts'), start)
  // The runner of these tests puts its own place where the name stands in one piece.
  const place = `--define:import.meta${'.url'}="file://${join(copy, 'dist/start.mjs')}"`
  const bundle = ['start.ts', '--bundle', '--platform=node', '--format=esm', '--packages=external', place]
  const esbuild = join(copy, 'node_modules/.bin/esbuild')
  execFileSync(esbuild, [...bundle, '--outfile=dist/start.mjs', '--log-level=error'], { cwd: copy })
  t.equal(node(copy, 'dist/start.mjs').trim(), '200 1', 'it starts and answers')
})
