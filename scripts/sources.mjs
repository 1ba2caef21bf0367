// Imports the TypeScript sources, bundled in memory: scripts run before and without a build.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a module exports; `contents` is its text, as if it stood in the folder of the package. */
export async function importSources(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // What stands in no file finds those of the package as if it stood in dist.
    define: { 'import.meta.url': JSON.stringify(new URL('../dist/index.js', import.meta.url).href) },
    // Some packages are CommonJS.
    banner: {
      js: `import { createRequire } from 'node:module'\nconst require = createRequire(${JSON.stringify(root)})`,
    },
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
