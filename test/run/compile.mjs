import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { changedFiles, root } from './subjects.mjs'

/** One of each run: two may run at once. */
const folder = join(root, '.tests', String(process.pid))

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Tests that import it start the command line as it is built. */
const STARTS_BINARY = 'test/binary.ts'

/** Tests that import it wait for pages. */
const OPENS_PAGES = 'test/dashboard/page.ts'

/**
 * Compiles subjects, and all sources that they import, in one pass: each gets the file to run. Those that wait for pages
 * come first, then the largest, unless they are shuffled; with `changed`, only those that import what has changed.
 */
export async function compile(subjects, { changed, shuffle }) {
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: subjects.map(({ name }) => ({ in: `subject:${name}`, out: name })),
    plugins: [entriesOf(subjects), ownPlaces],
    outdir: folder,
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
    metafile: true,
    logLevel: 'warning',
  })
  const compiled = subjects.map((subject) => {
    const inputs = filesOf(subject, metafile)
    const { bytes } = metafile.outputs[`.tests/${process.pid}/${subject.name}.mjs`]
    return {
      ...subject,
      inputs,
      size: inputs.has(OPENS_PAGES) ? Number.POSITIVE_INFINITY : bytes,
      file: join(folder, `${subject.name}.mjs`),
      needsBuild: inputs.has(STARTS_BINARY),
    }
  })
  const wanted = changed ? ofChanges(compiled) : compiled
  return shuffle ? wanted : wanted.sort((left, right) => right.size - left.size)
}

function ofChanges(subjects) {
  const changes = [...changedFiles()]
  return subjects.filter(({ inputs }) => changes.some((file) => inputs.has(file)))
}

/** Everything that a subject imports, by what esbuild read. */
function filesOf({ files }, { inputs }) {
  const found = new Set(files)
  for (const file of found) for (const { path, external } of inputs[file]?.imports ?? []) if (!external) found.add(path)
  return found
}

/** An entry for each subject, that imports its files. */
function entriesOf(subjects) {
  const contents = new Map(
    subjects.map(({ name, files }) => [
      name,
      files.map((file) => `import ${JSON.stringify(join(root, file))}`).join('\n'),
    ]),
  )
  return {
    name: 'entries',
    setup(builder) {
      builder.onResolve({ filter: /^subject:/ }, ({ path }) => ({ path: path.slice(8), namespace: 'subject' }))
      builder.onLoad({ filter: /.*/, namespace: 'subject' }, ({ path }) => ({
        contents: contents.get(path),
        resolveDir: root,
      }))
    },
  }
}

/** Lets each module find the files beside it as where it was written. */
const ownPlaces = {
  name: 'own places',
  setup(builder) {
    builder.onLoad({ filter: /\.(?:tsx?|mjs)$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents: text, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' }
    })
  },
}
