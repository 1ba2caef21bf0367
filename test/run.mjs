// Builds the tests once, and runs them with tap. node test/run.mjs [WORD…] [--long]
//   WORD    only the files that have one of the words in their path
//   --long  only the slow tests
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Seconds that a process may take, even on a busy machine. */
const TIMEOUT = 500
const PROCESSES = 5
const SLOW = 'dashboard cli provider exec mutants state http violations handles journal sandboxes scenarios'.split(' ')
/** Each run has its own folder, so that runs can overlap. */
const out = `.tests/${process.pid}`
const words = process.argv.slice(2).filter((word) => word !== '--long')
const isLong = process.argv.includes('--long')

process.chdir(root)
process.once('exit', () => rmSync(out, { recursive: true, force: true }))

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && name.includes('.long.') === isLong)
const chosen = words.length === 0 ? tests : words.flatMap(filesWith)
/** Test files by subject, the first part of their path in test/. */
const subjects = new Map()
for (const name of new Set(chosen)) {
  const [subject] = name.replace(/(?:\.long)?\.test\.ts$/, '').split('/')
  subjects.set(subject, [...(subjects.get(subject) ?? []), name])
}
// Tests of the command line start this build.
const program = promisify(execFile)(process.execPath, ['build.mjs'])
await Promise.all([program, buildTests()])
const env = { ...process.env, TAP_TIMEOUT: `${TIMEOUT}` }
const tap = spawn(process.execPath, [writeSuite()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const closed = once(tap, 'close')
await printResults(createInterface({ input: tap.stdout }))
const [status] = await closed
const notRun = [...subjects.keys()].filter((subject) => !existsSync(join(out, `${subject}.taken`)))
if (notRun.length > 0) console.log(`# no process has run ${notRun.join(', ')}`)
process.exit(notRun.length > 0 ? 1 : (status ?? 1))

/** Prints tap's lines about processes and failures, its summary, and last the reasons why tests were skipped. */
async function printResults(lines) {
  const skips = new Map()
  let isFailure = false
  for await (const line of lines) {
    const [, reason] = / # SKIP (.*)$/.exec(line) ?? []
    if (reason) skips.set(reason, (skips.get(reason) ?? 0) + 1)
    if (/^ *not ok /.test(line)) isFailure = true
    if (isFailure || /^ok |^# (?!Subtest)/.test(line)) console.log(line)
    if (/^ *(\.\.\.|(ok|1\.\.).*)$/.test(line)) isFailure = false
  }
  for (const [reason, count] of skips) console.log(`# skipped ${count}: ${reason}`)
}

function filesWith(word) {
  const found = tests.filter((name) => name.includes(word))
  if (found.length === 0) throw new Error(`No test file has '${word}' in its path.`)
  return found
}

/** Writes the test that runs the processes. A process takes many subjects, so that it loads shared modules once. */
function writeSuite() {
  const suite = join(out, 'suite.mjs')
  writeFileSync(join(out, 'subjects.json'), JSON.stringify(slowestFirst()))
  // Removes the NODE_OPTIONS of tap, which measure coverage and halve the speed.
  const node = ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', '--import', './test/no-async-hooks.mjs']
  const text = `import t from 'tap'
t.jobs = ${PROCESSES}
t.setTimeout(0)
const args = ${JSON.stringify([...node, 'test/take-subjects.mjs', out])}
for (let nth = 1; nth <= ${Math.min(PROCESSES, subjects.size)}; nth++)
  t.spawn('env', args, { timeout: ${TIMEOUT * 1_000} }, 'process ' + nth)\n`
  writeFileSync(suite, text)
  return suite
}

/** Begins with the slow subjects, so that no slow one runs alone at the end. */
function slowestFirst() {
  return [...new Set([...SLOW.filter((subject) => subjects.has(subject)), ...subjects.keys()])]
}

async function buildTests() {
  mkdirSync(out, { recursive: true })
  for (const [subject, names] of subjects)
    writeFileSync(join(out, `${subject}.ts`), names.map((name) => `import '../../test/${name}'\n`).join(''))
  await build({
    entryPoints: Array.from(subjects.keys(), (subject) => join(out, `${subject}.ts`)),
    plugins: [{ name: 'source URLs', setup: keepSourceUrls }],
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
}

/** Sets import.meta.url to the source file, so that bundled modules find the files beside it. */
function keepSourceUrls(builder) {
  builder.onLoad({ filter: /\.(?:tsx?|mjs)$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined
    const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    return { contents: text, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' }
  })
}
