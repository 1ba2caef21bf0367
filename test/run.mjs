// Builds the tests once, and runs them with tap. node test/run.mjs [WORD…] [--long]
//   WORD    only the files that have one of the words in their path
//   --long  what takes long
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Seconds that a process may take, on a busy machine as well. */
const PATIENCE = 500
const PROCESSES = 5
/** Two runs at once do not disturb each other. */
const out = `.tests/${process.pid}`
const words = process.argv.slice(2).filter((word) => word !== '--long')
const isLong = process.argv.includes('--long')

process.chdir(root)
process.once('exit', () => rmSync(out, { recursive: true, force: true }))

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && name.includes('.long.') === isLong)
const chosen = words.length === 0 ? tests : words.flatMap(named)
/** Files by their subject, which is their folder in test/. */
const subjects = new Map()
for (const name of new Set(chosen)) {
  const [subject] = name.replace(/(?:\.long)?\.test\.ts$/, '').split('/')
  subjects.set(subject, [...(subjects.get(subject) ?? []), name])
}
// What tests of the command line start.
const program = promisify(execFile)(process.execPath, ['build.mjs'])
await Promise.all([program, buildTests()])
const env = { ...process.env, TAP_TIMEOUT: `${PATIENCE}` }
const tap = spawn(process.execPath, [writeSuite()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const closed = once(tap, 'close')
await tell(createInterface({ input: tap.stdout }))
const [status] = await closed
const left = [...subjects.keys()].filter((subject) => !existsSync(join(out, `${subject}.taken`)))
if (left.length > 0) console.log(`# no process has run ${left.join(', ')}`)
process.exit(left.length > 0 ? 1 : (status ?? 1))

/** Prints what tap says of each process and of each failure, its summary, and at last why tests were skipped. */
async function tell(lines) {
  const skips = new Map()
  let isDiagnosis = false
  for await (const line of lines) {
    const [, reason] = / # SKIP (.*)$/.exec(line) ?? []
    if (reason) skips.set(reason, (skips.get(reason) ?? 0) + 1)
    if (/^ *not ok /.test(line)) isDiagnosis = true
    if (isDiagnosis || /^ok |^# (?!Subtest)/.test(line)) console.log(line)
    if (/^ *(\.\.\.|(ok|1\.\.).*)$/.test(line)) isDiagnosis = false
  }
  for (const [reason, count] of skips) console.log(`# skipped ${count}: ${reason}`)
}

function named(word) {
  const found = tests.filter((name) => name.includes(word))
  if (found.length === 0) throw new Error(`No test file has '${word}' in its path.`)
  return found
}

/** The test that runs the processes: what one has compiled for a subject serves the next one that it takes. */
function writeSuite() {
  const suite = join(out, 'suite.mjs')
  writeFileSync(join(out, 'subjects.json'), JSON.stringify(order()))
  // Without the NODE_OPTIONS that tap puts into every process below it: they measure what each covers, at half its speed.
  const node = ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', '--import', './test/no-async-hooks.mjs']
  const text = `import t from 'tap'
t.jobs = ${PROCESSES}
t.setTimeout(0)
const args = ${JSON.stringify([...node, 'test/take-subjects.mjs', out])}
for (let nth = 1; nth <= ${Math.min(PROCESSES, subjects.size)}; nth++)
  t.spawn('env', args, { timeout: ${PATIENCE * 1_000} }, 'process ' + nth)\n`
  writeFileSync(suite, text)
  return suite
}

/** What takes longest comes first, or waits longest. */
function order() {
  const first = ['dashboard', 'cli', 'exec', 'mutants', 'state', 'provider', 'sandboxes', 'repository', 'violations']
  return [...new Set([...first.filter((one) => subjects.has(one)), ...subjects.keys()])]
}

async function buildTests() {
  mkdirSync(out, { recursive: true })
  for (const [subject, names] of subjects)
    writeFileSync(join(out, `${subject}.ts`), names.map((name) => `import '../../test/${name}'\n`).join(''))
  await build({
    entryPoints: Array.from(subjects.keys(), (subject) => join(out, `${subject}.ts`)),
    plugins: [{ name: 'own places', setup: keepOwnPlaces }],
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

/** Lets each module find the files beside it as where it was written. */
function keepOwnPlaces(builder) {
  builder.onLoad({ filter: /\.(?:tsx?|mjs)$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined
    const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    return { contents: text, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' }
  })
}
