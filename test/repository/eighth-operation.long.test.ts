import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { copyOf, node, runProgram, typeErrors } from './copies.js'

t.test('an eighth operation needs only two files and a line in each index', async (t) => {
  const copy = copyOf(t)
  cpSync('test/repository/count-seats/contract.txt', join(copy, 'schemas/count-seats.ts'))
  appendFileSync(join(copy, 'schemas/index.ts'), "export { countSeats } from './count-seats.js'\n")
  const index = join(copy, 'src/api/handlers.ts')
  t.match(typeErrors(copy, ['src/api/index.ts']), 'countSeats', 'a contract does not compile without its handler')
  cpSync('test/repository/count-seats/handler.txt', join(copy, 'src/api/count-seats/handler.ts'))
  appendFileSync(index, "export { countSeats } from './count-seats/handler.js'\n")
  node(copy, 'build.mjs')
  t.equal(typeErrors(copy, ['src', 'schemas']), '', 'the whole copy compiles')

  const cli = join(copy, 'dist/cli.js')
  const list = (name: string) => JSON.parse(node(copy, cli, 'list', name, '--json'))
  const listed = list('operations').find((one: { id: string }) => one.id === 'countSeats')
  t.match(listed, { path: '/api/v2/seats' }, 'it is listed')
  const outcomes = list('outcomes').map((one: { outcome: string }) => one.outcome)
  const countSeats = outcomes.filter((one: string) => one.startsWith('countSeats'))
  t.strictSame(countSeats, ['countSeats:200', 'countSeats:401'], 'it has no other outcomes')
  const mutants = list('mutants').filter((one: { mutant: string }) => one.mutant.startsWith('countSeats'))
  t.ok(mutants.length > 0, 'it has mutants')
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
  t.match(last, { operation: 'countSeats', violations: [{ code: 'unknown-parameter' }] }, 'its requests are checked')
  const counted = coverage.outcomes.filter(({ outcome }: { outcome: string }) => outcome.startsWith('countSeats'))
  t.match(counted, [{ count: 2 }, { count: 1 }], 'its outcomes are counted')
})

t.test('an engine without tools, server and command line serves an API', async (t) => {
  const copy = copyOf(t)
  cpSync('test/another-api', join(copy, 'test/another-api'), { recursive: true })
  rmSync(join(copy, 'test/another-api/another-api.test.ts'))
  const others = 'schemas src/api src/tools src/server src/cli src/cli.ts src/index.ts src/integrations.ts src/types.ts'
  for (const part of others.split(' ')) rmSync(join(copy, part), { recursive: true })
  t.equal(typeErrors(copy, ['src', 'test']), '', 'it compiles')
  const start = `
    import { bookshelf as api } from './test/another-api/api.js'
    import { contractsOf } from './src/engine/api.js'
    import { buildApp } from './src/engine/app.js'
    import { fixturesFormat } from './src/engine/files/collections.js'
    import { readFixtures } from './src/engine/files/fixtures.js'
    import { scenarioFormat } from './src/engine/files/scenario.js'
    import { Sandboxes } from './src/engine/sandbox/sandboxes.js'
    import { loadLibrary } from './src/engine/sandbox/scenarios/load.js'
    const settings = { host: '127.0.0.1', auth: 'known', strict: false, requireSandbox: false, bodyLimit: 1e6, journalSize: 10,
      seed: '1', clock: 'real', scenario: [], active: [], switches: {}, secrets: [], declared: {} }
    const { library } = await loadLibrary(scenarioFormat(contractsOf(api)), { folder: undefined, shipped: {} })
    const fixtures = await readFixtures(fixturesFormat(api.collections, api.fixturesPath), 'test/another-api/fixtures.json')
    const sandboxes = new Sandboxes({ settings, library, seeded: { fixtures, files: [] }, complaints: [] }, api)
    const app = buildApp(api, sandboxes)
    const url = await app.listen({ port: 0 })
    const response = await fetch(url + '/books?sheet=1&count=1', { headers: { 'x-shelf-key': 'key-ada' } })
    const journal = await (await fetch(url + '/__admin/requests')).json()
    console.log(response.status, journal.requests.length)
    await app.close()`
  t.equal(runProgram(copy, start), '200 1', 'it starts and answers')
})
