// Builds the tests once, and runs them with tap. node test/run.mjs [WORD…] [--long]
//   WORD    only what has one of the words in its path: a subject, or else files of subjects
//   --long  what takes long
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Two runs at once do not disturb each other. */
const out = `.tests/${process.pid}`
const words = process.argv.slice(2).filter((word) => word !== '--long')
const isLong = process.argv.includes('--long')

process.chdir(root)
process.once('exit', () => {
  for (const folder of [out, `.tap/test-results/${out}`]) rmSync(folder, { recursive: true, force: true })
})

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && name.includes('.long.') === isLong)
/** The files of test/ itself, each of which imports all of a subject. */
const subjects = tests.filter((name) => !name.includes('/'))
const chosen = words.length === 0 ? subjects : words.flatMap(named)
// What tests of the command line start.
execFileSync(process.execPath, ['build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
await buildTests()
const files = chosen.map((name) => join(out, name.replace(/\.ts$/, '.mjs')))
const { status } = spawnSync('npx', ['tap', '--reporter=terse', ...files], {
  stdio: 'inherit',
  // Where nobody watches, tap prints its report once, at the end.
  env: { ...process.env, CI: process.stdout.isTTY ? process.env.CI : 'true' },
})
for (const [reason, count] of skipped(files)) console.log(`Skipped (${count}): ${reason}`)
process.exit(status ?? 1)

/** How often each reason to skip a test was given. */
function skipped(files) {
  const counts = new Map()
  for (const result of files.map((file) => `.tap/test-results/${file}.tap`).filter(existsSync))
    for (const [, reason] of readFileSync(result, 'utf8').matchAll(/ # SKIP (.*)$/gm))
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

/** The subjects that have a word in their name, or else the files that have it in their path. */
function named(word) {
  const has = (name) => name.includes(word)
  const found = subjects.some(has) ? subjects.filter(has) : tests.filter(has)
  if (found.length === 0) throw new Error(`No test file has '${word}' in its path.`)
  return found
}

async function buildTests() {
  await build({
    entryPoints: chosen.map((name) => ({ in: `test/${name}`, out: name.replace(/\.ts$/, '') })),
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
