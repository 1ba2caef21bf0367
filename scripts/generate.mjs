// Writes the generated files that are committed: the default fixtures, openapi.json, the JSON Schemas for editors,
// the pages of the API, options and interpretations, the README's table of outcomes, and the examples that pages show.
// With --check it writes nothing, and exits with 1 if it finds stale files, which it lists.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixtureFiles } from '../fixtures/source/index.mjs'
import { apiPage } from './pages/api.mjs'
import { interpretationsPage } from './pages/interpretations.mjs'
import { optionsPage } from './pages/options.mjs'
import { readmeWithOutcomes } from './pages/outcomes.mjs'
import { pagesWithExamples } from './pages/with-examples.mjs'
import { importSources } from './sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = await generate()

if (process.argv.includes('--check')) {
  const stale = await staleAmong(files)
  for (const name of stale) console.error(`${name} is stale: run 'npm run generate' and commit the result.`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [name, content] of Object.entries(files)) await write(join(root, name), content)
}

/** The content of each generated file, by its path in the package. */
async function generate() {
  const sources = await loadSources()
  const {
    api,
    openapiDocument,
    scenarioSchemaForEditors,
    configSchemaForEditors,
    toolPreferences: preferences,
  } = sources
  const contracts = sources.contractsOf(api)
  const shipped = (await readdir(join(root, 'fixtures/scenarios'))).map((name) => basename(name, '.yaml')).sort()
  const known = { contracts, switches: api.switches, shipped }
  const tables = { ...sources, contracts, statements: api.statements, interpretations: api.interpretations }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {
    ...fixtureFiles,
    'openapi.json': json(openapiDocument(api, { version: '3.1', packageVersion: version, preferences })),
    'schemas/json/scenario.schema.json': editorSchema(
      'scenario',
      scenarioSchemaForEditors(sources.scenarioFormat(contracts), known),
    ),
    'schemas/json/config.schema.json': editorSchema(
      'config',
      configSchemaForEditors(sources.configSchemaFor(api), known),
    ),
    'schemas/json/fixtures.schema.json': editorSchema(
      'fixtures',
      sources.fixturesFormat(api.collections, api.fixturesPath).schema,
    ),
    ...(await pagesWithExamples(root)),
    'README.md': await readmeWithOutcomes(join(root, 'README.md'), { contracts, ...tables }),
    'docs/api.md': apiPage({ contracts, ...tables }),
    'docs/options.md': optionsPage(tables),
    'docs/interpretations.md': interpretationsPage(tables),
  }
}

function loadSources() {
  return importSources(`
    export { openapiDocument } from './src/tools/openapi/document.js'
    export { api } from './src/api/index.js'
    export { contractsOf } from './src/engine/api.js'
    export { basisOf } from './src/engine/contract/cites.js'
    export { fixturesFormat } from './src/engine/files/collections.js'
    export { scenarioFormat } from './src/engine/files/scenario.js'
    export { configSchemaFor } from './src/server/config-file.js'
    export { isLive, optionTable } from './src/server/options.js'
    export { toolPreferences } from './src/server/tools.js'
    export { commands } from './src/cli/commands.js'
    export { optionFlags } from './src/cli/flags.js'
    export { configSchemaForEditors, scenarioSchemaForEditors } from './src/engine/files/editors.js'`)
}

/** A schema for editors: draft-07, without the keywords that only the server's messages use. */
function editorSchema(name, schema) {
  const plain = JSON.stringify(schema, (keyword, value) =>
    // Editors do not know these formats.
    keyword.startsWith('x-') || (keyword === 'format' && ['json', 'clock', 'instant'].includes(value))
      ? undefined
      : value,
  )
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
    Object.keys(files).map((name) => readFile(join(root, name)).catch(() => undefined)),
  )
  return Object.entries(files)
    .filter(([, content], at) => !committed[at]?.equals(Buffer.from(content)))
    .map(([name]) => name)
}

async function write(file, content) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}
