// Writes schemas/plain.ts: the types that users see, made from the schemas but free of TypeBox. An editor shows the
// description of each name, with its default and an example.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSources } from './sources.mjs'

const SCALARS = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }

const root = fileURLToPath(new URL('..', import.meta.url))
const file = join(root, 'schemas/plain.ts')
const text = plainTypes(
  await importSources(`
    export { api } from './src/api/index.js'
    export { contractsOf } from './src/engine/api.js'
    export { gatewayIds, outcomeIdsOf } from './src/engine/contract/contract.js'
    export { publicSchemas } from './scripts/public-schemas.js'`),
  (await readdir(join(root, 'fixtures/scenarios'))).map((name) => basename(name, '.yaml')).sort(),
)
// An unchanged file is not rewritten, so that watchers do not react.
if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text)

/** Unions of operations, outcomes and scenarios, and a type for each public schema; types refer to each other by name. */
function plainTypes({ api, contractsOf, outcomeIdsOf, gatewayIds, publicSchemas }, shipped) {
  const contracts = contractsOf(api)
  const citeIds = [...api.statements, ...api.interpretations].map(({ id }) => id)
  const names = new Map(Object.entries(publicSchemas).map(([name, schema]) => [schema, name]))
  return [
    union(
      'OperationId',
      "An operation's id.",
      contracts.map(({ id }) => id),
    ),
    union('OutcomeId', 'An operation and a status that it declares.', outcomeIdsOf(contracts)),
    union('GatewayOutcome', 'A status that a gateway in front of the service may answer with.', gatewayIds),
    union('ShippedScenario', 'A scenario that ships with the package.', shipped),
    union('CiteId', 'A statement of the API document (S6.3), or an interpretation (I-07).', citeIds),
    ...Object.entries(publicSchemas).map(([name, schema]) => declaration(name, schema, names)),
    `/** The request and responses of each operation. */\nexport interface Operations {${contracts.map((one) => operation(one, names)).join('\n')}}`,
  ].join('\n\n')
}

function union(name, description, values) {
  return `/** ${description} */\nexport type ${name} = ${literals(values)}`
}

function literals(values) {
  return values.map((value) => JSON.stringify(value)).join(' | ')
}

function declaration(name, schema, names) {
  const type = inlineType(schema, names)
  const isObject = schema.properties !== undefined
  return `${comment(schema)}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type}`}`
}

/** The name of a schema's type, or its inline type if it has no name. */
function typeOf(schema, names) {
  return names.get(schema) ?? inlineType(schema, names)
}

/** A schema's type, written out in full. */
function inlineType(schema, names) {
  const { type, properties = {}, items, anyOf, enum: values, const: value, patternProperties } = schema
  if (schema['x-types'] !== undefined) return schema['x-types'].map((one) => SCALARS[one]).join(' | ')
  if (schema.contentMediaType !== undefined) return 'Blob'
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, names)).join(' | ')
  if (values !== undefined) return literals(values)
  if (value !== undefined) return JSON.stringify(value)
  if (type === 'array') return `readonly (${typeOf(items, names)})[]`
  if (type !== 'object') return SCALARS[type] ?? 'unknown'
  const [pattern] = Object.values(patternProperties ?? {})
  if (typeof pattern === 'object') return `{ readonly [name: string]: ${typeOf(pattern, names)} }`
  const open = schema.additionalProperties === true || Object.keys(properties).length === 0
  return `{\n${Object.entries(properties)
    .map(([name, one]) => property(name, one, schema.required?.includes(name), names))
    .join('\n')}${open ? '\nreadonly [name: string]: unknown' : ''}}`
}

function property(name, schema, required, names) {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
  return `${comment(schema)}readonly ${key}${required ? '' : '?'}: ${typeOf(schema, names)}`
}

/** A schema's doc comment, with the keys of options in place of their flags. */
function comment({ description, default: fallback, examples = [] }) {
  const byDefault = fallback === undefined ? undefined : JSON.stringify(fallback)
  const summary = description
    ?.replace(/ \(--no-[a-z-]+ turns this off\)/, '')
    .replaceAll(/--(no-)?([a-z]+(?:-[a-z]+)*)/g, (_, no, flag) =>
      no ? `\`${camelCase(flag)}: false\`` : `\`${camelCase(flag)}\``,
    )
  const lines = [
    ...(summary === undefined ? [] : [summary]),
    ...(byDefault === undefined ? [] : [`@default ${byDefault}`]),
    ...(examples.length === 0 ? [] : [`@example ${JSON.stringify(examples[0])}`]),
  ]
  if (lines.length === 0) return ''
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

function camelCase(flag) {
  return flag.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())
}

function operation(contract, names) {
  const parts = ['params', 'query', 'form'].filter((part) => Object.keys(contract[part]?.properties ?? {}).length > 0)
  const responses = Object.entries(contract.responses).map(
    ([status, { description, schema }]) =>
      `${comment({ description })}readonly ${status}: ${schema === undefined ? 'ErrorBody' : typeOf(schema, names)}`,
  )
  return `/** ${contract.method} ${contract.path}: ${contract.description} */
    readonly ${contract.id}: {
      readonly request: {${parts.map((part) => `readonly ${part}: ${partType(contract, part, names)}`).join('\n')}}
      readonly responses: {${responses.join('\n')}}
    }`
}

/** A form that requires one of several sets of fields is a union, with a type for each set. */
function partType(contract, part, names) {
  const { required = [], anyOf, ...schema } = contract[part]
  const requirements = anyOf?.map((one) => [...required, ...one.required]) ?? [required]
  return requirements.map((all) => inlineType({ ...schema, required: all }, names)).join(' | ')
}
