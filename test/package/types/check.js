// Compiles users' code with each kind of module resolution and with the oldest supported compiler, and checks the
// package with publint and arethetypeswrong.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

const settings = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  // Newer compilers do not support node10.
  node10: { module: 'commonjs', moduleResolution: 'node10' },
}
const libraries = {
  node: { lib: ['ES2022'], types: ['node'] },
  browser: { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [] },
}
/** The compiler, its module resolution, the type in package.json, and the libraries. */
const compilations = [
  ['typescript', 'node16', 'module', 'node'],
  ['typescript', 'node16', 'commonjs', 'browser'],
  ['typescript', 'nodenext', 'module', 'browser'],
  ['typescript', 'nodenext', 'commonjs', 'node'],
  ['typescript', 'bundler', 'module', 'browser'],
  ['typescript', 'bundler', 'commonjs', 'node'],
  ['typescript-oldest', 'node16', 'commonjs', 'browser'],
  ['typescript-oldest', 'bundler', 'module', 'node'],
  ['typescript-oldest', 'node10', 'commonjs', 'node'],
]

const checks = compilations.map(([typescript, name, type, library]) => {
  const project = { options: settings[name], type, library: libraries[library], files: ['client.ts'] }
  return [`${typescript}, ${name}, ${type}, ${library}`, () => compile(typescript, project)]
})
// The types of the frameworks need skipLibCheck.
for (const name of ['nodenext', 'bundler']) {
  const project = { options: settings[name], type: 'module', library: libraries.browser, skipLibCheck: true }
  checks.push([`the integrations, ${name}`, () => compile('typescript', { ...project, files: ['integrations.ts'] })])
}
checks.push(['publint', () => run('node_modules/.bin/publint', ['--strict', 'node_modules/countersign'])])
if (process.env.TARBALL) checks.push(['arethetypeswrong', () => run('node_modules/.bin/attw', [process.env.TARBALL])])

const AT_ONCE = 2
let failed = 0
await Promise.all(Array.from({ length: AT_ONCE }, work))
process.exitCode = failed > 0 ? 1 : 0

async function work() {
  for (let next = checks.shift(); next !== undefined; next = checks.shift()) {
    const [name, check] = next
    try {
      await check()
      console.log(`ok: ${name}`)
    } catch (error) {
      failed++
      console.error(`not ok: ${name}\n${error.stdout ?? error.message}`)
    }
  }
}

async function compile(typescript, { options, type, library, files, skipLibCheck = false }) {
  const folder = mkdtempSync('build-')
  writeFileSync(`${folder}/package.json`, JSON.stringify({ type }))
  const language = { ...library, target: 'ES2022', strict: true, noEmit: true, skipLibCheck, rootDir: '..' }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: { ...options, ...language }, files }))
  for (const file of files) copyFileSync(`types/${file}`, `${folder}/${file}`)
  await run(process.execPath, [`node_modules/${typescript}/bin/tsc`, '-p', folder])
}
