import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { alone, modules, run } from '../integrations/scratch.js'

const YARN = join(modules, '@yarnpkg/cli-dist/bin/yarn.js')
const { TARBALL, npm_config_registry: REGISTRY = '' } = process.env

test('with Plug’n’Play, set-up, sandbox and handlers work from Yarn’s archive', { skip: !TARBALL }, async (t) => {
  const project = alone(t, {
    'package.json': JSON.stringify({
      type: 'module',
      devDependencies: { countersign: `file:${TARBALL}`, msw: '2.15.0', vitest: '4.1.12' },
      // Yarn resolves this optional package on every system, but not every registry has it.
      resolutions: { 'napi-windows-process-start-time': 'npm:empty-npm-package@1.0.0' },
    }),
    'yarn.lock': '',
    '.yarnrc.yml': `nodeLinker: pnp\nenableGlobalCache: false\nenableImmutableInstalls: false\nenableTelemetry: false\n${REGISTRY && `npmRegistryServer: ${REGISTRY}\n`}`,
    'vitest.config.js': "export default { test: { globalSetup: ['countersign/vitest'] } }",
    'a.test.js': `
      import { handlers } from 'countersign/msw'
      import { useSandbox } from 'countersign/vitest'
      import { setupServer } from 'msw/node'
      import { expect, test } from 'vitest'
      const sandbox = useSandbox()
      test('a call', async () => {
        setupServer(...handlers(sandbox, { baseUrl: 'https://api.example.com' })).listen()
        expect((await fetch('https://api.example.com/api/v2/credits/histories')).status).toBe(401)
      })`,
  })
  for (const args of [['install'], ['vitest', 'run']]) {
    const { code, out, err } = await run(project, [YARN, ...args])
    assert.equal(code, 0, `${out}${err}`)
  }
})
