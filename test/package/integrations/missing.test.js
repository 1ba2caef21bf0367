import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { alone, run } from './scratch.js'

const integrations = [
  ['msw', 'msw', 'msw@2', '1.3.2', '2 to 3'],
  ['playwright', '@playwright/test', '@playwright/test@1', '2.0.0', '1'],
  ['vitest', 'vitest', 'vitest@4', '2.1.9', '3 to 5'],
]
const imports = (integration) => ['--input-type=module', '--eval', `await import('countersign/${integration}')`]
const requires = (integration) => ['--input-type=commonjs', '--eval', `require('countersign/${integration}')`]

for (const [integration, peer, install, wrong, range] of integrations) {
  // Vitest cannot be required.
  const ways = integration === 'vitest' ? [imports] : [imports, requires]
  for (const way of ways) {
    test(`countersign/${integration} names the package to install, by ${way.name}`, async (t) => {
      const { code, err } = await run(alone(t, {}), way(integration))
      assert.notEqual(code, 0)
      assert.match(
        err,
        new RegExp(
          `countersign/${integration} needs the package ${peer}\\. Install it with 'npm install -D ${install}'\\.`,
        ),
      )
    })

    test(`countersign/${integration} names the supported versions, by ${way.name}`, async (t) => {
      const manifest = JSON.stringify({ name: peer, version: wrong, main: 'index.js' })
      const files = { [`node_modules/${peer}/package.json`]: manifest, [`node_modules/${peer}/index.js`]: '' }
      const { code, err } = await run(alone(t, files), way(integration))
      assert.notEqual(code, 0)
      assert.match(
        err,
        new RegExp(
          `supports ${peer} ${range}, but ${wrong} is installed\\. Install a supported version with 'npm install -D ${install}'`,
        ),
      )
    })
  }
}

for (const [integration, peer, , wrong, range] of integrations) {
  test(`countersign/${integration} uses the project's ${peer}, not the one next to countersign`, async (t) => {
    const stub = (folder, version) => ({
      [`${folder}/node_modules/${peer}/package.json`]: JSON.stringify({ name: peer, version, main: 'index.js' }),
      [`${folder}/node_modules/${peer}/index.js`]: '',
    })
    const supported = `${range.at(0)}.0.0`
    for (const [nextToIt, inProject, message] of [
      [supported, wrong, new RegExp(`, but ${wrong} is installed`)],
      [wrong, supported, /^(?!.*is installed)/s],
    ]) {
      const root = alone(t, { ...stub('.', nextToIt), ...stub('packages/app', inProject) })
      const { err } = await run(join(root, 'packages/app'), imports(integration))
      assert.match(err, message)
    }
  })
}

test('CommonJS can load the package even if require() of ES modules is disabled', async (t) => {
  const script =
    "const { startMockServer } = require('countersign'); startMockServer({ port: 0 }).then((mock) => mock.close())"
  const { code, err } = await run(alone(t, {}), [
    '--no-experimental-require-module',
    '--input-type=commonjs',
    '--eval',
    script,
  ])
  assert.deepEqual({ code, err }, { code: 0, err: '' })
})

test('both entry points share their error classes', async (t) => {
  const script = `
    import { createRequire } from 'node:module'
    import { InvalidOption } from 'countersign'
    const { startMockServer } = createRequire(process.cwd() + '/')('countersign')
    await startMockServer({ port: -1 }).catch((error) => console.log(error instanceof InvalidOption))`
  const { out } = await run(alone(t, {}), ['--input-type=module', '--eval', script])
  assert.equal(out.trim(), 'true')
})
