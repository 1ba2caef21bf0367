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

for (const [integration, peer, install, other, fits] of integrations) {
  // Vitest cannot be required.
  const ways = integration === 'vitest' ? [imports] : [imports, requires]
  for (const way of ways) {
    test(`countersign/${integration} says what to install, by ${way.name}`, async (t) => {
      const { code, err } = await run(alone(t, {}), way(integration))
      assert.notEqual(code, 0)
      assert.match(
        err,
        new RegExp(
          `countersign/${integration} needs the package ${peer}\\. Install it with 'npm install -D ${install}'\\.`,
        ),
      )
    })

    test(`countersign/${integration} says which version it is for, by ${way.name}`, async (t) => {
      const manifest = JSON.stringify({ name: peer, version: other, main: 'index.js' })
      const files = { [`node_modules/${peer}/package.json`]: manifest, [`node_modules/${peer}/index.js`]: '' }
      const { code, err } = await run(alone(t, files), way(integration))
      assert.notEqual(code, 0)
      assert.match(
        err,
        new RegExp(
          `supports ${peer} ${fits}, but ${other} is installed\\. Install a supported version with 'npm install -D ${install}'`,
        ),
      )
    })
  }
}

for (const [integration, peer, , other, fits] of integrations) {
  test(`countersign/${integration} takes the ${peer} of the project that runs, not the one beside it`, async (t) => {
    const stub = (folder, version) => ({
      [`${folder}/node_modules/${peer}/package.json`]: JSON.stringify({ name: peer, version, main: 'index.js' }),
      [`${folder}/node_modules/${peer}/index.js`]: '',
    })
    const supported = `${fits.at(0)}.0.0`
    for (const [beside, inProject, message] of [
      [supported, other, new RegExp(`, but ${other} is installed`)],
      [other, supported, /^(?!.*is installed)/s],
    ]) {
      const root = alone(t, { ...stub('.', beside), ...stub('packages/app', inProject) })
      const { err } = await run(join(root, 'packages/app'), imports(integration))
      assert.match(err, message)
    }
  })
}

test('without require() of ES modules, CommonJS loads all the same', async (t) => {
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

test('an error that one entry point throws is of the class that the other exports', async (t) => {
  const script = `
    import { createRequire } from 'node:module'
    import { InvalidOption } from 'countersign'
    const { startMockServer } = createRequire(process.cwd() + '/')('countersign')
    await startMockServer({ port: -1 }).catch((error) => console.log(error instanceof InvalidOption))`
  const { out } = await run(alone(t, {}), ['--input-type=module', '--eval', script])
  assert.equal(out.trim(), 'true')
})
