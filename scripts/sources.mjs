// Imports the TypeScript sources, bundled in memory: scripts run before and without a build.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The exports of a module with this text; its imports are relative to the package's folder. */
export async function importSources(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // The bundle has no file: it finds files of the package as if it were in dist.
    define: { 'import.meta.url': JSON.stringify(new URL('../dist/index.js', import.meta.url).href) },
    // Some packages are CommonJS.
    banner: {
      js: `import { createRequire } from 'node:module'\nconst require = createRequire(${JSON.stringify(root)})`,
    },
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
