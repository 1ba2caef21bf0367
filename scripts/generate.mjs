// Writes what follows from the contracts and is committed: openapi.json and the JSON Schemas for editors.
// With --check it writes nothing, names the files that are stale and exits with 1.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = await generate()

if (process.argv.includes('--check')) {
  const stale = await staleAmong(files)
  for (const name of stale) console.error(`${name} is stale: run 'npm run generate' and commit what it writes.`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [name, text] of Object.entries(files)) await write(join(root, name), text)
}

/** Every generated file's text by its path in the package. */
async function generate() {
  const { openapiDocument, contracts, scenarioFileForEditors, Config, Fixtures } = await sources()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {
    'openapi.json': json(openapiDocument(contracts, { version: '3.1', packageVersion: version })),
    'schemas/json/scenario.schema.json': editorSchema('scenario', scenarioFileForEditors()),
    'schemas/json/config.schema.json': editorSchema('config', Config),
    'schemas/json/fixtures.schema.json': editorSchema('fixtures', Fixtures),
  }
}

/** The TypeScript sources, bundled in memory: this script runs before and without a build. */
async function sources() {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { openapiDocument } from './src/openapi.js'
        export { contracts } from './schemas/contracts.js'
        export { Config } from './schemas/config.js'
        export { Fixtures } from './schemas/fixtures.js'
        export { scenarioFileForEditors } from './schemas/scenario.js'`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** A schema as editors take it: draft-07, and none of the keywords that only the server's messages use. */
function editorSchema(name, schema) {
  const plain = JSON.stringify(schema, (keyword, value) => (keyword === 'x-allowed' ? undefined : value))
  return json({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://countersign.example/schemas/${name}.schema.json`,
    ...JSON.parse(plain),
  })
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function staleAmong(files) {
  const committed = await Promise.all(
    Object.keys(files).map((name) => readFile(join(root, name), 'utf8').catch(() => '')),
  )
  return Object.entries(files)
    .filter(([, text], at) => text !== committed[at])
    .map(([name]) => name)
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
