// Runs the same calls with each supported framework in each environment: node run.js [WORD]
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

const projects = {
  'vitest-3': {
    packages: ['vitest@3.2.7', 'jsdom@26.1.0', 'happy-dom@20.14.6', 'msw@2.15.0'],
    environments: { node: [], jsdom: ['./jsdom.js'], 'happy-dom': [] },
  },
  'vitest-4': {
    packages: ['vitest@4.1.12', 'jsdom@29.1.1', 'happy-dom@20.14.6', 'msw@2.15.0'],
    environments: { node: [], jsdom: ['./jsdom.js'], 'happy-dom': [] },
  },
  'vitest-5': {
    node: 22,
    packages: ['vitest@5.1.2', 'jsdom@29.1.1', 'happy-dom@21.0.4', 'msw@3.0.5'],
    environments: { node: [], jsdom: [], 'happy-dom': [] },
  },
  'jest-30': {
    packages: [
      'jest@30.5.2',
      '@babel/plugin-transform-modules-commonjs@7',
      'jest-fixed-jsdom@0.0.11',
      'jest-environment-jsdom@30.5.2',
      '@happy-dom/jest-environment@20.14.5',
      'msw@2.15.0',
    ],
    environments: { node: [], 'jest-fixed-jsdom': [], './happy-dom.cjs': [] },
  },
}

const calls = readFileSync('calls.js', 'utf8')
const [, setup] = /## jsdom[\s\S]*?```js module\n([\s\S]*?)```/.exec(
  readFileSync('node_modules/countersign/docs/vitest.md', 'utf8'),
)
let failed = 0
for (const [name, { node = 20, packages, environments }] of Object.entries(projects)) {
  if (!name.includes(process.argv[2] ?? '')) continue
  if (Number.parseInt(process.versions.node, 10) < node) {
    console.log(`skipped: ${name}, since it needs Node ${node}`)
    continue
  }
  mkdirSync(name)
  writeFileSync(
    `${name}/package.json`,
    JSON.stringify({ private: true, ...(name === 'jest-30' || { type: 'module' }) }),
  )
  await run('npm', ['install', '--silent', '--no-package-lock', ...packages], { cwd: name })
  cpSync('node_modules/countersign', `${name}/node_modules/countersign`, { recursive: true })
  for (const [environment, setupFiles] of Object.entries(environments)) {
    const runTests = name === 'jest-30' ? jest : vitest
    await runTests(name, environment, setupFiles).then(
      () => console.log(`ok: ${name}, ${environment}`),
      ({ stdout, stderr }) => {
        failed++
        console.error(`not ok: ${name}, ${environment}\n${stdout}\n${stderr}`)
      },
    )
  }
}
process.exitCode = failed > 0 ? 1 : 0

function vitest(cwd, environment, setupFiles) {
  writeFileSync(`${cwd}/jsdom.js`, setup)
  writeFileSync(`${cwd}/calls.test.js`, `import { afterAll, beforeEach, expect, test } from 'vitest'\n${calls}`)
  writeFileSync(`${cwd}/vitest.config.js`, `export default ${JSON.stringify({ test: { environment, setupFiles } })}`)
  return run('npx', ['vitest', 'run'], { cwd })
}

/** MSW's packages are ES modules, which Jest cannot require on older versions of Node. */
function jest(cwd, testEnvironment) {
  writeFileSync(`${cwd}/calls.test.js`, calls)
  writeFileSync(
    `${cwd}/happy-dom.cjs`,
    `const { default: Environment } = require('@happy-dom/jest-environment')
module.exports = class extends Environment {
  constructor(...options) {
    super(...options)
    this.global.BroadcastChannel = BroadcastChannel
  }
}`,
  )
  const transform = { '\\.m?js$': ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }] }
  const config = {
    testEnvironment,
    testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
    transform,
    transformIgnorePatterns: ['node_modules/(?!(rettime|until-async|@open-draft|msw|@mswjs)/)'],
  }
  return run('npx', ['jest', '--config', JSON.stringify(config)], { cwd })
}
