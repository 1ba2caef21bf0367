// Builds dist/: the program as CommonJS files, its entry points for ES modules, the assets of pages, and the licences.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { parse } from 'yaml'

/** Files of dist that users run or import, with their sources. */
const entryPoints = { cli: 'src/cli.ts', index: 'src/index.ts', integrations: 'src/integrations.ts' }

/** Entry points with generated types; the frameworks' entry points have hand-written types. */
const typedEntryPoints = { index: 'src/index.ts', types: 'src/types.ts' }

/** Styles and scripts of pages; the server reads them when it first sends a page. */
const assets = {
  editor: ['src/tools/dashboard/browser/parts/editor.ts'],
  docs: ['src/tools/dashboard/browser/docs.css', 'src/tools/dashboard/browser/docs.ts'],
  pages: ['src/engine/http/styles/page.css'],
  dashboard: ['src/tools/dashboard/browser/dashboard.css', 'src/tools/dashboard/browser/main.tsx'],
}

/** Licence notices of code that these packages bundle. */
const NOTICES = { rapidoc: ['dist/rapidoc-min.js.LICENSE.txt'] }

/** ES modules are strict and have `import.meta.url`; CommonJS needs both. */
const PROLOGUE = "'use strict';const __url=require('node:url').pathToFileURL(__filename).href;"

// Lines are short, because Node prints the whole line that throws an error.
const base = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160, legalComments: 'none', logLevel: 'warning' }

// Writes schemas/plain.ts, whose types the sources import.
await import('./scripts/plain-types.mjs')
await mkdir('dist', { recursive: true })
// A running server loads some files of dist later, so the build ends before any file is replaced.
const out = await mkdtemp('dist/.new-')
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
const program = await buildProgram()
const pages = await buildPages()
await copyEntryPoints()
await cp('schemas/json', `${out}/schemas`, { recursive: true })
await writeFile(`${out}/assets/scenarios.json`, JSON.stringify(await shippedScenarios()))
await writeFile(`${out}/LICENSES.txt`, await licences([program, pages].flatMap(({ inputs }) => Object.keys(inputs))))
// Only the published package needs types, and they take longer than the rest of the build.
if (process.argv.includes('--types')) await declareTypes()
await replaceDist()

/** Moves the new files into dist, and removes files that are no longer built; types of an earlier build stay. */
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

/** Bundles the program; a module loaded by `import()` becomes a separate file. */
async function buildProgram() {
  const { metafile, outputFiles } = await build({
    ...base,
    entryPoints,
    inject: ['src/engine/timers.ts'],
    outdir: out,
    bundle: true,
    splitting: true,
    // Fastify loads its own compilers only where an app brings none.
    external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
    // esbuild splits only ES modules: asCommonJs converts each file afterwards.
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

/** CommonJS loads in every version of Node, and in Jest. */
async function asCommonJs(text) {
  const { code } = await transform(text, {
    ...base,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Jest supports import() only with a flag.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
  })
  return code.replace(/^(#!.*\n)?/, `$1${PROLOGUE}`)
}

/** Re-exports the CommonJS file: `import` and `require` share its classes, so `instanceof` works across both. */
function asModule(entry, names) {
  return `import entry from './${entry}.js'\nexport const { ${names.join(', ')} } = entry\n`
}

/** The shipped scenarios as JSON: parsing YAML takes most of the start-up time. */
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
    ...base,
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

/** The frameworks' entry points have a file per module format, so that each loads its framework as the test does. */
async function copyEntryPoints() {
  for (const file of await readdir('src/tools/integrations/entry-points')) {
    if (/\.[cm]js$/.test(file))
      await cp(`src/tools/integrations/entry-points/${file}`, `${out}/${file.replace(/\.cjs$/, '.js')}`)
  }
  await writeFile(`${out}/types.js`, '')
  await writeFile(`${out}/types.mjs`, 'export {}\n')
}

/** Writes each entry point's types into one file, without the types of bundled packages. */
async function declareTypes() {
  const config = {
    compilationOptions: { preferredConfigPath: resolve('tsconfig.json') },
    entries: Object.entries(typedEntryPoints).map(([entry, filePath]) => ({
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
  const frameworkTypes = (await readdir('src/tools/integrations/entry-points')).filter((file) => file.endsWith('.d.ts'))
  for (const file of frameworkTypes) await cp(`src/tools/integrations/entry-points/${file}`, `${out}/${file}`)
  for (const file of (await readdir(out)).filter((one) => one.endsWith('.d.ts'))) {
    // Older `lib` settings of TypeScript lack AsyncDisposable.
    const text = `/// <reference lib="esnext.disposable" />\n${await readFile(`${out}/${file}`, 'utf8')}`
    await writeFile(`${out}/${file}`, text)
    await writeFile(`${out}/${file.replace('.d.ts', '.d.mts')}`, text.replaceAll("'./index.js'", "'./index.mjs'"))
  }
}

/** The licences of all bundled packages. */
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
