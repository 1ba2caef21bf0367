import { readdirSync, readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { configForEditors, scenarioFileForEditors } from '../../schemas/editors.js'
import { gatewayIds } from '../../schemas/gateway.js'
import { outcomeIds } from '../../schemas/scenario.js'
import { openapi } from '../../src/cli/openapi.js'
import { InvalidOption } from '../../src/server/invalid-option.js'
import { launch } from '../binary.js'
import { terminal } from '../command-line.js'

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

t.test('what is committed is what the contracts give', async (t) => {
  const script = ['scripts/generate.mjs', '--check']
  const { code, err } = await launch(t, process.execPath, script, { cwd: process.cwd() }).ended
  t.equal(code, 0, 'nothing is stale', { err })
  t.equal(read('openapi.json').info.version, read('package.json').version, 'the document has the package’s version')
})

/** An editor's view of a file: the complaints that its schema raises. */
function editor(name: string) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const schema = read(`schemas/json/${name}.schema.json`)
  const check = ajv.compile(schema)
  return {
    schema,
    complaints: (file: unknown) => (check(file) ? [] : (check.errors ?? []).map(({ message }) => message)),
  }
}

t.test('each schema for editors is draft-07 and names itself', async (t) => {
  for (const name of ['config', 'fixtures', 'scenario']) {
    t.match(
      editor(name).schema,
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: `https://countersign.example/schemas/${name}.schema.json`,
        title: `countersign ${name}`,
      },
      `${name}: the schema names its draft and itself`,
    )
    t.notOk(JSON.stringify(editor(name).schema).includes('x-allowed'), `${name}: no keyword of our own is left`)
    t.strictSame(editor(name).complaints({ $schema: 'x', version: 1 }), [], `${name}: a file may name its schema`)
    t.not(editor(name).complaints({ versoin: 1 }).length, 0, `${name}: an unknown key is underlined`)
  }
})

t.test('the shipped fixtures and scenarios fit their schemas', async (t) => {
  for (const file of readdirSync('fixtures').filter((name) => name.endsWith('.json'))) {
    t.strictSame(editor('fixtures').complaints(read(`fixtures/${file}`)), [], `${file} fits`)
  }
  for (const file of readdirSync('fixtures/scenarios')) {
    t.strictSame(
      editor('scenario').complaints(parse(readFileSync(`fixtures/scenarios/${file}`, 'utf8'))),
      [],
      `${file} fits`,
    )
  }
})

t.test('an editor underlines a status that the operation does not declare', async (t) => {
  const { complaints } = editor('scenario')
  const rule = (status: number) => ({ rules: [{ on: 'addOrganizationMember', answer: { status } }] })
  t.strictSame(complaints(rule(409)), [], 'a declared status is allowed')
  t.not(complaints(rule(403)).length, 0, 'an undeclared one is underlined')
})

t.test('an editor completes the names of scenarios, outcomes and gateway statuses, and takes any other', async (t) => {
  const shipped = readdirSync('fixtures/scenarios').map((file) => file.replace('.yaml', ''))
  const names = [...shipped, ...outcomeIds, ...gatewayIds]
  const config = configForEditors(shipped)
  const offered = (items: TSchema) => items.anyOf.flatMap((one: TSchema) => one.enum ?? [])
  for (const [what, items] of [
    ['active', config.properties.active.items],
    ['scenario', config.properties.scenario.anyOf[1]],
    ['a list of scenario', config.properties.scenario.anyOf[0].items],
    ['extends', scenarioFileForEditors(shipped).properties.extends.items],
  ])
    t.same(
      names.filter((name) => !offered(items).includes(name)),
      [],
      what,
    )
  const { complaints } = editor('config')
  t.strictSame(
    complaints({ active: ['mine', 'service-down'], scenario: 'mine' }),
    [],
    'a file of the user’s is allowed',
  )
  t.not(complaints({ active: [1] }).length, 0, 'what is no name is underlined')
})

/** Runs `countersign openapi` and returns what it prints. */
async function printed(t: Test, ...argv: string[]): Promise<string> {
  const { io, out } = terminal(t)
  t.equal(await openapi(argv, io), 0, `openapi ${argv.join(' ')} ends well`)
  return out()
}

t.test('countersign openapi prints the document as JSON or YAML, for either version', async (t) => {
  const [json, yaml] = [await printed(t), await printed(t, '--yaml')]
  t.equal(JSON.parse(json).openapi, '3.1.0', 'the document is of OpenAPI 3.1 by default')
  t.strictSame(parse(yaml), JSON.parse(json), 'YAML says the same as JSON')
  t.equal(JSON.parse(await printed(t, '--version', '3.0')).openapi, '3.0.3', 'OpenAPI 3.0 is had by --version')
  t.equal(
    JSON.parse(await printed(t, '--version=3.1', '--port', '5000')).servers[0].url,
    'http://127.0.0.1:5000',
    '--port sets the server’s port',
  )
  t.equal(
    JSON.parse(await printed(t, '--host', '::', '--port', '0')).servers[0].url,
    'http://127.0.0.1:4010',
    'an address that cannot be called is not shown',
  )
})

t.test('countersign openapi says what it does not understand', async (t) => {
  await t.rejects(
    printed(t, '--version', '2.0'),
    new InvalidOption("--version must be one of 3.1, 3.0, not '2.0'."),
    'an unknown version is refused',
  )
  await t.rejects(
    printed(t, 'file.json'),
    {
      message: "'file.json' is not expected here. Usage: countersign openapi [--version 3.0|3.1] [--yaml]",
    },
    'a stray word is refused',
  )
  await t.rejects(printed(t, '--jaml'), { message: /Did you mean '--yaml'/ }, 'a misspelt flag is corrected')
})
