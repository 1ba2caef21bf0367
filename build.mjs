// Builds dist/: the program as CommonJS in several files, entry points to it for ES modules, what pages load, and the licences.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { parse } from 'yaml'

/** The program, and what can be imported: each is a file of dist. */
const entryPoints = { cli: 'src/cli.ts', index: 'src/index.ts', integrations: 'src/integrations.ts' }

/** What is typed by the sources; those of the frameworks have types of their own. */
const typed = { index: 'src/index.ts', types: 'src/types.ts' }

/** Styles and scripts of pages, which are read when a page is first sent. */
const assets = {
  editor: ['src/tools/dashboard/browser/parts/editor.ts'],
  docs: ['src/tools/dashboard/browser/docs.css', 'src/tools/dashboard/browser/docs.ts'],
  pages: ['src/engine/http/styles/page.css'],
  dashboard: ['src/tools/dashboard/browser/dashboard.css', 'src/tools/dashboard/browser/main.tsx'],
}

/** Notices of what a package has bundled itself. */
const NOTICES = { rapidoc: ['dist/rapidoc-min.js.LICENSE.txt'] }

/** What ES modules have by themselves. */
const PROLOGUE = "'use strict';const __url=require('node:url').pathToFileURL(__filename).href;"

// Node prints the whole line in which an error is thrown.
const quiet = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160, legalComments: 'none', logLevel: 'warning' }

// The types that the sources import from schemas/plain.ts.
await import('./scripts/plain-types.mjs')
await mkdir('dist', { recursive: true })
// A server that runs from dist loads more of it later, so each file is replaced at once, and when all is built.
const out = await mkdtemp('dist/.new-')
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
const program = await buildProgram()
const pages = await buildPages()
await copyEntryPoints()
await cp('schemas/json', `${out}/schemas`, { recursive: true })
await writeFile(`${out}/assets/scenarios.json`, JSON.stringify(await shippedScenarios()))
await writeFile(`${out}/LICENSES.txt`, await licences([program, pages].flatMap(({ inputs }) => Object.keys(inputs))))
// Only the package needs the types, and they take longer than all else.
if (process.argv.includes('--types')) await declareTypes()
await replaceDist()

/** Moves the new files into dist, and removes what is no longer built; types of an earlier build stay. */
async function replaceDist() {
  const built = await filesIn(out)
  for (const file of built) {
    await mkdir(dirname(`dist/${file}`), { recursive: true })
    await rename(`${out}/${file}`, `dist/${file}`)
  }
  for (const file of await filesIn('dist')) {
    if (!built.includes(file) && !file.startsWith('.new-') && !/\.d\.m?ts$/.test(file)) await rm(`dist/${file}`)
  }
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => relative(folder, join(one.parentPath, one.name)))
}

/** Bundles the program; what is imported where it is used becomes a file of its own. */
async function buildProgram() {
  const { metafile, outputFiles } = await build({
    ...quiet,
    entryPoints,
    inject: ['src/engine/timers.ts'],
    outdir: out,
    bundle: true,
    splitting: true,
    // Fastify loads its own compilers only where an app brings none.
    external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
    // Splitting is for ES modules alone: each file becomes CommonJS afterwards.
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
  })
  await Promise.all(outputFiles.map(async ({ path, text }) => writeFile(path, await asCommonJs(text))))
  await chmod(`${out}/cli.js`, 0o755)
  await writeFile(`${out}/package.json`, '{ "type": "commonjs" }\n')
  await writeFile(`${out}/index.mjs`, asModule('index', metafile.outputs[`${out}/index.js`].exports))
  return metafile
}

/** Node's own loader reads it on every version, and Jest's as well. */
async function asCommonJs(text) {
  const { code } = await transform(text, {
    ...quiet,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Jest has no import() without a flag.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
  })
  return code.replace(/^(#!.*\n)?/, `$1${PROLOGUE}`)
}

/** One program whichever way it is loaded: an error that one entry point throws is an instance of the other's class. */
function asModule(entry, names) {
  return `import entry from './${entry}.js'\nexport const { ${names.join(', ')} } = entry\n`
}

/** The scenarios that ship, as JSON: to read YAML takes most of a start. */
async function shippedScenarios() {
  const folder = 'fixtures/scenarios'
  const files = (await readdir(folder)).sort()
  const entries = files.map(async (file) => [
    basename(file, '.yaml'),
    parse(await readFile(join(folder, file), 'utf8')),
  ])
  return Object.fromEntries(await Promise.all(entries))
}

async function buildPages() {
  const { metafile } = await build({
    ...quiet,
    entryPoints: Object.entries(assets).flatMap(([out, files]) => files.map((file) => ({ in: file, out }))),
    outdir: `${out}/assets`,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome107', 'firefox104', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
  })
  return metafile
}

/** The frameworks' entry points are written for each module format, since each takes its framework as the test has it. */
async function copyEntryPoints() {
  for (const file of await readdir('src/tools/integrations/entry-points')) {
    if (/\.[cm]js$/.test(file))
      await cp(`src/tools/integrations/entry-points/${file}`, `${out}/${file.replace(/\.cjs$/, '.js')}`)
  }
  await writeFile(`${out}/types.js`, '')
  await writeFile(`${out}/types.mjs`, 'export {}\n')
}

/** Each entry point's types in one file, without those of what is bundled. */
async function declareTypes() {
  const config = {
    compilationOptions: { preferredConfigPath: resolve('tsconfig.json') },
    entries: Object.entries(typed).map(([entry, filePath]) => ({
      filePath: resolve(filePath),
      outFile: resolve(`${out}/${entry}.d.ts`),
      noCheck: true,
      output: { noBanner: true, exportReferencedTypes: false },
    })),
  }
  await writeFile(`${out}/types.config.json`, JSON.stringify(config))
  const generator = 'node_modules/.bin/dts-bundle-generator'
  execFileSync(generator, ['--silent', '--config', `${out}/types.config.json`], { stdio: 'inherit' })
  await rm(`${out}/types.config.json`)
  const ofFrameworks = (await readdir('src/tools/integrations/entry-points')).filter((file) => file.endsWith('.d.ts'))
  for (const file of ofFrameworks) await cp(`src/tools/integrations/entry-points/${file}`, `${out}/${file}`)
  for (const file of (await readdir(out)).filter((one) => one.endsWith('.d.ts'))) {
    // Older settings of the compiler know no AsyncDisposable.
    const text = `/// <reference lib="esnext.disposable" />\n${await readFile(`${out}/${file}`, 'utf8')}`
    await writeFile(`${out}/${file}`, text)
    await writeFile(`${out}/${file.replace('.d.ts', '.d.mts')}`, text.replaceAll("'./index.js'", "'./index.mjs'"))
  }
}

/** The licences of all that is bundled. */
async function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  )
  const texts = await Promise.all([...folders].sort().map(licence))
  return texts.join(`\n${'-'.repeat(80)}\n`)
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
  const files = [...(file === undefined ? [] : [file]), ...(NOTICES[name] ?? [])]
  const texts = await Promise.all(files.map((one) => readFile(`${folder}/${one}`, 'utf8')))
  return `${[`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')}\n`
}
