import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

/** Styles and scripts of pages, which are read when a page is first sent. */
const assets = {
  docs: ['src/docs/page/client.css', 'src/docs/page/client.js'],
  pages: ['src/http/pages/page.css'],
  dashboard: ['src/dashboard/dashboard.css', 'src/dashboard/main.tsx'],
}

await rm('dist', { recursive: true, force: true })
const { metafile: server } = await build({
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts', 'pdf-process': 'src/operations/pdf-process.ts' },
  outdir: 'dist',
  bundle: true,
  // What the first request does not need stands in files of its own, which are loaded when they are needed.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  chunkNames: '[name]-[hash]',
  metafile: true,
  // CommonJS dependencies call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
await cp('schemas/json', 'dist/schemas', { recursive: true })
const { metafile: pages } = await build({
  entryPoints: Object.entries(assets).flatMap(([out, files]) => files.map((file) => ({ in: file, out }))),
  outdir: 'dist/assets',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome107', 'firefox104', 'safari16'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})
await writeFile('dist/LICENSES.txt', await licences([server, pages].flatMap(({ inputs }) => Object.keys(inputs))))

// Only the package needs the types, and they take longer than all else.
if (['pack', 'publish'].includes(process.env.npm_command)) {
  const arguments_ =
    '--silent --no-check --project tsconfig.json --external-inlines @sinclair/typebox -o dist/index.d.ts -- src/index.ts'
  execFileSync('node_modules/.bin/dts-bundle-generator', arguments_.split(' '), { stdio: 'inherit' })
}

/** The licences of all that is bundled. */
async function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  )
  const texts = await Promise.all([...folders].sort().map(licence))
  // unpdf holds PDF.js in its own bundle, without its licence.
  const pdfjs = `PDF.js, as bundled in unpdf (Apache-2.0)\n\n${(await readFile('licences/apache-2.0.txt', 'utf8')).trim()}\n`
  return [...texts, pdfjs].join(`\n${'-'.repeat(80)}\n`)
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
  const text = file === undefined ? '' : await readFile(`${folder}/${file}`, 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}
