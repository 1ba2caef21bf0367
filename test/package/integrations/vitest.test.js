import assert from 'node:assert/strict'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMockServer } from 'countersign'
import { alone, bin, modules, run, scratch } from './scratch.js'

const config = "export default { test: { globalSetup: ['countersign/vitest'], maxWorkers: 4 } }"
const spec = (name, body) => `
  import { useSandbox } from 'countersign/vitest'
  import { expect, test } from 'vitest'
  const sandbox = useSandbox()
  const call = (more = {}) => fetch(sandbox.url + '/api/v2/credits/histories?page=1&per_page=1&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20', { headers: { authorization: 'Bearer ' + sandbox.token, ...more } })
  test('${name}', async () => { ${body} })`
const vitest = (cwd, env) => run(cwd, [bin('vitest'), 'run'], env)

test('only a test that fails shows its journal, with the fixes', async (t) => {
  const folder = scratch(t, {
    'vitest.config.js': config,
    'fails.test.js': spec('fails', "await fetch(sandbox.url + '/api/v2/credits/histories?page=0'); expect(1).toBe(2)"),
    'passes.test.js': spec('passes', 'expect((await call()).status).toBe(200)'),
  })
  const { code, out, err } = await vitest(folder)
  assert.equal(code, 1)
  assert.match(
    `${out}${err}`,
    /fails\.test\.js > fails[\s\S]*GET \S*histories\?page=0 {2}401 listCreditHistories:401\n +violation, documented: .*\n +fix: /,
  )
  assert.doesNotMatch(`${out}${err}`, /listCreditHistories:200/)
})

test('each of twelve files in four workers has its own sandboxes', async (t) => {
  const files = Array.from({ length: 12 }, (_, nth) => [
    `sandbox-${nth}.test.js`,
    spec(
      `sandbox ${nth}`,
      `
      await sandbox.scenarios.activate('listCreditHistories:${nth % 2 === 0 ? 401 : 400}')
      for (let call_ = 0; call_ < 5; call_++) expect((await call()).status).toBe(${nth % 2 === 0 ? 401 : 400})
      expect(await sandbox.requests()).toHaveLength(5)`,
    ),
  ])
  const { code, out, err } = await vitest(scratch(t, { 'vitest.config.js': config, ...Object.fromEntries(files) }))
  assert.equal(code, 0, `${out}${err}`)
})

test('the config file is read as by exec, and options override it', async (t) => {
  const files = {
    'countersign.config.yaml':
      'port: 4010\nclock: 2026-01-15T09:30:00Z\nactive: [listCreditHistories:401]\nadminToken: secret\n',
    'a.test.js': spec(
      'a',
      'expect([(await call()).status, (await sandbox.clock.now()).getUTCFullYear()]).toEqual([401, 2026])',
    ),
  }
  const plain = await vitest(scratch(t, { 'vitest.config.js': config, ...files }))
  assert.equal(plain.code, 0, `${plain.out}${plain.err}`)
  const options = "maxWorkers: 4, provide: { countersignOptions: { clock: '2027-01-15T09:30:00Z', active: [] } }"
  const other = await vitest(
    scratch(t, {
      ...files,
      'vitest.config.js': config.replace('maxWorkers: 4', options),
      'a.test.js': files['a.test.js'].replace('[401, 2026]', '[200, 2027]'),
    }),
  )
  assert.equal(other.code, 0, `${other.out}${other.err}`)
})

test('in a workspace or with a linked package, the Vitest of the project is used', async (t) => {
  const folder = alone(t, {
    'node_modules/vitest/package.json': JSON.stringify({ name: 'vitest', version: '3.0.0', main: 'index.js' }),
    'node_modules/vitest/index.js': "throw new Error('not this one')",
    'packages/app/package.json': JSON.stringify({ type: 'module' }),
    'packages/app/vitest.config.js': config,
    'packages/app/a.test.js': spec('a', 'expect((await call()).status).toBe(200)'),
  })
  const linked = scratch(t, {})
  cpSync(join(folder, 'packages/app'), linked, { recursive: true })
  for (const project of [join(folder, 'packages/app'), linked]) {
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(join(modules, 'vitest'), join(project, 'node_modules/vitest'))
    // Like npm link, or a file: dependency.
    if (project === linked)
      symlinkSync(join(folder, 'node_modules/countersign'), join(project, 'node_modules/countersign'))
    const { code, out, err } = await vitest(project)
    assert.equal(code, 0, `${out}${err}`)
  }
})

test('a running server is used', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.after(() => mock.close())
  const folder = scratch(t, {
    'vitest.config.js': config,
    'a.test.js': spec('a', 'expect((await call()).status).toBe(200)'),
  })
  const { code, out, err } = await vitest(folder, { COUNTERSIGN_ADMIN_URL: mock.adminUrl })
  assert.equal(code, 0, `${out}${err}`)
  const sandboxes = await (await fetch(`${mock.adminUrl}/sandboxes`)).json()
  assert.match(JSON.stringify(sandboxes), /a\.test\.js/)
})

test('errors explain an unreachable server and a missing global set-up', async (t) => {
  const files = { 'vitest.config.js': config, 'a.test.js': spec('a', '') }
  const unreachable = await vitest(scratch(t, files), { COUNTERSIGN_ADMIN_URL: 'http://127.0.0.1:9/__admin' })
  assert.match(`${unreachable.out}${unreachable.err}`, /No server answers at http:\/\/127\.0\.0\.1:9\/__admin/)
  const { out, err } = await vitest(scratch(t, { ...files, 'vitest.config.js': 'export default {}' }))
  assert.match(`${out}${err}`, /useSandbox\(\) found no server\. Add globalSetup: \['countersign\/vitest'\]/)
})
