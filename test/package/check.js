// Compiles what users write, with each way to resolve modules and with the oldest compiler that is supported, and has
// the package judged by publint and arethetypeswrong.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

const settings = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  // Newer compilers have it no more.
  node10: { module: 'commonjs', moduleResolution: 'node10' },
}
const resolutions = { typescript: ['node16', 'nodenext', 'bundler'], 'typescript-oldest': Object.keys(settings) }
/** As CommonJS and as ES modules: what a package.json above the file says. */
const kinds = { esm: 'module', cjs: 'commonjs' }
/** What else there is besides Node's own types. */
const libraries = { node: ['ES2022'], browser: ['ES2022', 'DOM', 'DOM.Iterable'] }

let failed = 0
for (const [typescript, names] of Object.entries(resolutions)) {
  for (const name of names) {
    for (const [kind, type] of Object.entries(kinds)) {
      const library = kind === 'esm' ? 'node' : 'browser'
      check(`${typescript} ${name} ${kind} ${library}`, () =>
        compile(typescript, settings[name], type, libraries[library], ['client.ts']),
      )
    }
  }
}
// The frameworks' own types ask for more of the compiler.
for (const name of ['nodenext', 'bundler'])
  check(`the faces, ${name}`, () =>
    compile('typescript', settings[name], 'module', libraries.browser, ['faces.ts'], true),
  )
check('publint', () => run('node_modules/.bin/publint', ['--strict', 'node_modules/countersign']))
if (process.env.TARBALL) check('arethetypeswrong', () => run('node_modules/.bin/attw', [process.env.TARBALL]))
process.exitCode = failed > 0 ? 1 : 0

function check(name, work) {
  try {
    work()
    console.log(`ok: ${name}`)
  } catch (error) {
    failed++
    console.error(`not ok: ${name}\n${error.stdout ?? error.message}`)
  }
}

function compile(typescript, options, type, lib, files, skipLibCheck = false) {
  rmSync('build', { recursive: true, force: true })
  mkdirSync('build')
  writeFileSync('build/package.json', JSON.stringify({ type }))
  const compilerOptions = {
    ...options,
    lib,
    target: 'ES2022',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck,
    rootDir: '..',
  }
  writeFileSync('build/tsconfig.json', JSON.stringify({ compilerOptions, files }))
  for (const file of files) run('cp', [file, 'build/'])
  run(process.execPath, [`node_modules/${typescript}/bin/tsc`, '-p', 'build'])
}

function run(command, args) {
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' })
}
