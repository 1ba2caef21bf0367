import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t from 'tap'
import { parse } from 'yaml'
import { api } from '../../src/api/index.js'
import { contractsOf } from '../../src/engine/api.js'
import { gatewayIds, outcomeIdsOf } from '../../src/engine/contract/contract.js'
import { configSchemaForEditors, scenarioSchemaForEditors } from '../../src/engine/files/editors.js'
import { scenarioFormat } from '../../src/engine/files/scenario.js'
import { startMockServer } from '../../src/index.js'
import { configSchemaFor } from '../../src/server/config-file.js'
import { folder, launch } from '../binary.js'
import { run } from '../command-line.js'

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

function editor(name: string) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const schema = read(`schemas/json/${name}.schema.json`)
  const check = ajv.compile(schema)
  const complaints = (file: unknown) => (check(file) ? [] : (check.errors ?? []).map(({ message }) => message))
  return { schema, complaints }
}

t.test('each schema for editors is draft-07 and has an id and a title', async (t) => {
  for (const name of ['config', 'fixtures', 'scenario']) {
    const { schema, complaints } = editor(name)
    const $id = `https://countersign.example/schemas/${name}.schema.json`
    const header = { $schema: 'http://json-schema.org/draft-07/schema#', $id, title: `countersign ${name}` }
    t.match(schema, header, `${name}: draft, id and title`)
    t.notMatch(JSON.stringify(schema), 'x-allowed', `${name}: our own keywords are removed`)
    t.strictSame(complaints({ $schema: 'x', version: 1 }), [], `${name}: a file may have $schema`)
    t.not(complaints({ versoin: 1 }).length, 0, `${name}: an unknown key is underlined`)
  }
})

t.test('the shipped fixtures and scenarios fit their schemas', async (t) => {
  for (const [schema, folder] of Object.entries({ fixtures: 'fixtures', scenario: 'fixtures/scenarios' })) {
    for (const file of readdirSync(folder).filter((name) => /\.(json|yaml)$/.test(name))) {
      const content = parse(readFileSync(`${folder}/${file}`, 'utf8'))
      t.strictSame(editor(schema).complaints(content), [], `${file} fits`)
    }
  }
})

t.test('an editor underlines a status that the operation does not declare', async (t) => {
  const { complaints } = editor('scenario')
  const rule = (status: number) => ({ rules: [{ on: 'addOrganizationMember', answer: { status } }] })
  t.strictSame(complaints(rule(409)), [], 'a declared status is allowed')
  t.not(complaints(rule(403)).length, 0, 'an undeclared status is underlined')
  t.strictSame(complaints(rule(503)), [], 'a gateway status is allowed')
  const teapot = { on: 'addOrganizationMember', offContract: true, answer: { status: 418 } }
  t.strictSame(complaints({ rules: [teapot] }), [], 'any status is allowed with offContract')
  t.not(complaints({ rules: [{ on: 'verifyDocumnt' }] }).length, 0, 'an unknown operation is underlined')
})

t.test('an editor suggests names of scenarios, outcomes and gateway statuses, and accepts others', async (t) => {
  const contracts = contractsOf(api)
  const shipped = readdirSync('fixtures/scenarios').map((file) => file.replace('.yaml', ''))
  const names = [...shipped, ...outcomeIdsOf(contracts), ...gatewayIds]
  const known = { contracts, switches: api.switches, shipped }
  const config = configSchemaForEditors(configSchemaFor(api), known)
  const offered = (items: TSchema) => items.anyOf.flatMap((one: TSchema) => one.enum ?? [])
  const [ofList, one] = config.properties.scenario.anyOf
  const { extends: extended } = scenarioSchemaForEditors(scenarioFormat(contracts), known).properties
  const places = { active: config.properties.active.items, scenario: one, 'a list': ofList.items }
  for (const [place, items] of Object.entries({ ...places, extends: extended.items })) {
    const missing = names.filter((name) => !offered(items).includes(name))
    t.strictSame(missing, [], place)
  }
  const { complaints } = editor('config')
  const mine = { active: ['mine', 'service-down'], scenario: 'mine' }
  t.strictSame(complaints(mine), [], 'the user’s own scenario is allowed')
  t.not(complaints({ active: [1] }).length, 0, 'a number in place of a name is underlined')
})

const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** Joins base URL and path as `cy.request(path)` and `cy.visit(path)` do: as text. */
function cypressUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}

t.test('the Cypress example sets up its sandbox, and its calls reach this sandbox', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  // npm does not have the binary of Cypress: this test loads the config and makes the calls as Cypress would.
  const project = folder(t)
  mkdirSync(join(project, 'node_modules/cypress'), { recursive: true })
  writeFileSync(
    join(project, 'node_modules/cypress/package.json'),
    '{ "name": "cypress", "type": "module", "exports": "./index.js" }',
  )
  writeFileSync(join(project, 'node_modules/cypress/index.js'), 'export const defineConfig = (config) => config')
  symlinkSync(cwd, join(project, 'node_modules/countersign'))
  cpSync(join(cwd, 'examples/cypress'), project, { recursive: true })
  const script = `
    const { default: { e2e } } = await import('./cypress.config.js')
    let tasks
    await e2e.setupNodeEvents((_, all) => { tasks = all })
    await tasks.reset()
    await tasks.activate('listCreditHistories:401')
    for (const path of ['/api/v2/credits/histories', 'api/v2/credits/histories'])
      await fetch((${cypressUrl})(e2e.baseUrl, path))
    console.log(JSON.stringify((await tasks.requests('listCreditHistories')).map(({ sandbox, outcome }) => [sandbox, outcome])))`
  const env = { COUNTERSIGN_URL: mock.url, COUNTERSIGN_ADMIN_URL: mock.adminUrl }
  const arguments_ = ['--input-type=module', '--eval', script]
  const { code, out, err } = await launch(t, process.execPath, arguments_, { cwd: project, env }).ended
  t.equal(code, 0, 'the config works', { err })
  const call = ['cypress', 'listCreditHistories:401']
  t.strictSame(JSON.parse(out), [call, call], 'each call is in the sandbox')
  t.strictSame(await mock.requests(), [], 'the root gets no call')
})

const failingExamples: readonly (readonly [gate: readonly string[], script: string, message: RegExp])[] = [
  [['--fail-on', 'violations'], 'breaks-violations.mjs', /not-multipart[\s\S]*FormData/],
  [['--fail-on', 'unmatched'], 'breaks-unmatched.mjs', /GET \/api\/v2\/credit\/histories/],
]

t.test('an example that breaks a gate fails, and the report explains the fix', async (t) => {
  for (const [gate, script, message] of failingExamples) {
    const client = [process.execPath, `examples/exec/${script}`]
    const { code, err } = await run(t, ['exec', ...gate, '--', ...client], { cwd })
    t.equal(code, 1, `${gate.join(' ')} fails`)
    t.match(err, message, `${gate.join(' ')} explains the fix`)
  }
})
