import { type TSchema, Type } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { basisOf, citesOf, LIMITS, textOf } from '../../schemas/cites.js'
import { isFile } from '../../schemas/common.js'
import { type Contract, isSuccess, shown, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { searchProtectedAttachments } from '../../schemas/index.js'
import { interpretations } from '../../schemas/interpretations.js'
import { citationsIn } from '../../schemas/ledger.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { statements } from '../../schemas/statements.js'
import { type OpenapiOptions, openapiDocument } from '../../src/docs/openapi/document.js'
import { openapiVersions } from '../../src/docs/openapi/versions.js'
import { others } from '../switches/readings.js'

type Node = { readonly [key: string]: Node }
const all: readonly Contract[] = contracts

function documentOf(options: Partial<OpenapiOptions> = {}, of = all): Node {
  const document = openapiDocument(of, { version: '3.1', packageVersion: '1.2.3', ...options })
  return JSON.parse(JSON.stringify(document))
}

function operationIn(document: Node, { path, method }: Contract): Node {
  return document.paths![path]![method.toLowerCase()]!
}

type Placed = [path: readonly string[], node: Record<string, unknown>]

/** Every object of a document, with its path. */
function* objects(node: unknown, path: readonly string[] = []): Generator<Placed> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [path, node as Record<string, unknown>]
  for (const [key, value] of Object.entries(node)) yield* objects(value, [...path, key])
}

/** The schemas of a document: what it says itself, no sample values. */
function schemasOf(document: Node): Record<string, unknown>[] {
  const isSchema = (path: readonly string[]) =>
    !path.includes('examples') && !path.includes('example') && (path.includes('schema') || path.includes('schemas'))
  return [...objects(document)].filter(([path]) => isSchema(path)).map(([, node]) => node)
}

/** Every operation in every version of the document, with what to call it. */
const everywhere = openapiVersions.flatMap((version) => {
  const document = documentOf({ version })
  return all.map((contract) => {
    return {
      operation: operationIn(document, contract),
      document,
      version,
      contract,
      name: `${contract.id} in ${version}`,
    }
  })
})

t.test('the document holds every operation with every status, its provenance and its headers', async (t) => {
  for (const { operation, contract, name } of everywhere) {
    const { id: operationId, summary, section } = contract
    t.match(operation, { operationId, summary, 'x-section': section }, `${name}: id, summary and section`)
    t.strictSame(
      Object.entries(operation.responses!).map(([status, { headers, ...response }]) => [
        Number(status),
        response['x-provenance'],
        headers!['X-Mock-Outcome']!.example,
        Object.keys(headers!),
      ]),
      statusesOf(contract).map((status) => [
        status,
        contract.responses[status]?.provenance,
        `${contract.id}:${status}`,
        ['X-Mock-Outcome', 'X-Mock-Exchange'],
      ]),
      `${name}: statuses`,
    )
  }
})

t.test('every response has the sample that the mock sends, in the error envelope asked for', async (t) => {
  for (const errorBody of ['nested', 'flat'] as const) {
    const under = contractsUnder(all, { ...defaultReadings, errorBody })
    const document = documentOf({}, under)
    for (const contract of under) {
      for (const status of statusesOf(contract)) {
        const { content } = operationIn(document, contract).responses![status]!
        const name = status === 200 ? 'sample' : `status_${status}`
        const sample = content!['application/json']!.examples![name]!.value
        t.strictSame(sample, sampleBody(contract, status), `${contract.id}:${status} has its ${errorBody} sample`)
      }
    }
  }
})

/** The parameters of an operation, those that it shares looked up. */
function parametersOf(document: Node, { parameters }: Node): Node[] {
  const { parameters: shared } = document.components!
  return (parameters as unknown as Node[]).map((one) => shared![`${one.$ref}`.split('/').at(-1)!] ?? one)
}

t.test('what the document calls a string or an integer is either', async (t) => {
  for (const version of openapiVersions) {
    const text = JSON.stringify(documentOf({ version }))
    const either =
      version === '3.1'
        ? /"type":\["string","integer"\]/g
        : /"anyOf":\[\{"type":"string",[^{}]*\},\{"type":"integer"\}\]/g
    t.equal(text.match(either)?.length, 2, `${version}: the ids of a member and of an organization`)
  }
})

const FLAT: Readings = { ...defaultReadings, errorBody: 'flat' }

t.test('every example fits its schema', async (t) => {
  for (const [errorBody, readings] of Object.entries({ nested: defaultReadings, flat: FLAT, other: others })) {
    const document = documentOf({}, contractsUnder(all, readings))
    const ajv = new Ajv2020({ strict: false, formats: { binary: true } })
    addFormats.default(ajv, ['uuid', 'email', 'date-time', 'uri'])
    ajv.addSchema(document, 'openapi')
    let examples = 0
    for (const [path, { schema, ...node }] of objects(document)) {
      if (schema === undefined) continue
      const pointer = [...path, 'schema'].map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1'))
      const fits = ajv.compile({ $ref: `openapi#/${pointer.map(encodeURIComponent).join('/')}` })
      const named = Object.values((node.examples ?? {}) as Node).map(({ value }) => value as unknown)
      for (const value of 'example' in node ? [node.example, ...named] : named) {
        examples++
        t.ok(fits(value), `${errorBody}: an example at ${path.join(' ')} fits`, { value, errors: fits.errors })
      }
    }
    t.ok(examples > 60, `there are ${errorBody} examples`, { examples })
  }
})

t.test('parameters and form fields keep their names and whether they are required', async (t) => {
  for (const { operation, document, contract, name } of everywhere) {
    const { params, query } = contract
    const parameters = parametersOf(document, operation) as unknown as { name: string; required: boolean }[]
    const names = (list: typeof parameters) => list.map(({ name }) => name)
    const [sent] = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema as Node)
    const body = contract.form
    t.strictSame(
      {
        parameters: names(parameters),
        required: names(parameters.filter(({ required }) => required)),
        fields: sent && Object.keys(sent.properties!),
        requiredFields: sent?.required,
      },
      {
        parameters: [...Object.keys(params.properties), ...Object.keys(query.properties), 'Prefer'],
        required: [...(params.required ?? []), ...(query.required ?? [])],
        fields: body && Object.keys(body.properties),
        requiredFields: body?.required,
      },
      name,
    )
  }
})

t.test('files are binary strings of the media type that the document names', async (t) => {
  const types: Record<string, string> = { uploadSignature: 'image/png', verifyDocument: 'application/pdf' }
  for (const { operation, contract, name } of everywhere.filter(({ contract: { id } }) => id in types)) {
    const { schema, encoding } = operation.requestBody!.content!['multipart/form-data']!
    t.match(schema!.properties!.file, { type: 'string', format: 'binary' }, `${name}: the file is binary`)
    t.strictSame(encoding, { file: { contentType: types[contract.id] } }, `${name}: the file has its media type`)
  }
})

t.test('every operation takes the bearer token, and the project search a header of its own instead', async (t) => {
  for (const { operation, contract, name } of everywhere) {
    const either = contract === searchProtectedAttachments ? [{ bearer: [] }, { userToken: [] }] : [{ bearer: [] }]
    t.strictSame(operation.security, either, `${name} takes its token where it is read`)
  }
  t.match(documentOf().components!.securitySchemes, {
    bearer: { type: 'http', scheme: 'bearer' },
    userToken: { type: 'apiKey', in: 'header', name: 'user-token' },
  })
})

t.test('nothing of the mock itself leaks into schemas, and 3.0 is written as 3.0', async (t) => {
  const internal = ['$id', '$schema', 'x-allowed', 'contentMediaType']
  const newer = ['examples', 'const', '$defs', 'prefixItems']
  for (const [version, unwanted] of [
    ['3.1', internal],
    ['3.0', [...internal, ...newer]],
  ] as const) {
    const document = documentOf({ version })
    const isUnwanted = (schema: Record<string, unknown>) => (keyword: string) =>
      keyword in schema && schema[keyword] !== 'application/json'
    const found = schemasOf(document).flatMap((schema) => unwanted.filter(isUnwanted(schema)))
    t.strictSame(found, [], `${version} is without ${unwanted.join(', ')}`)
    t.notMatch(JSON.stringify(document), '"required":[]', `${version} has no empty list of required names`)
    t.equal(document.openapi, version === '3.1' ? '3.1.0' : '3.0.3', `${version} says its version`)
  }
  const Answer = Type.Object({
    kind: Type.Literal('one'),
    share: Type.Number({ exclusiveMinimum: 0 }),
    note: Type.Union([Type.String(), Type.Null()]),
  })
  const answer = shown.answer(['I-01'], 'Odd.', Answer, { kind: 'one', share: 1, note: null })
  const odd: Contract = { ...(all[0] as Contract), responses: { 200: answer } }
  const { content } = operationIn(documentOf({ version: '3.0' }, [odd]), odd).responses!['200']!
  t.match(
    content!['application/json']!.schema!.properties,
    {
      kind: { enum: ['one'] },
      share: { minimum: 0, exclusiveMinimum: true },
      note: { type: 'string', nullable: true },
    },
    'what 3.0 cannot say is said in its own way',
  )
})

t.test('the servers are the world that was asked and the sandboxes beside it', async (t) => {
  const urls = (serverUrl?: string) =>
    (documentOf({ serverUrl }).servers as unknown as { url: string }[]).map(({ url }) => url)
  t.strictSame(urls(), ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/~{sandbox}'])
  t.strictSame(urls('http://localhost:1/~w-1'), ['http://localhost:1/~w-1', 'http://localhost:1/~{sandbox}'])
})

const shownStatements = statements.filter((one) => !('notShown' in one)).map(({ id }) => id)
const known = new Set<string>([...statements, ...interpretations].map(({ id }) => id))

/** Every property of a schema, however deep, with the path to it. */
function propertiesOf(schema: TSchema, path: readonly string[] = []): { path: readonly string[]; schema: TSchema }[] {
  const own = isFile(schema) ? [] : Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const items = schema.items as TSchema | undefined
  const below = own.flatMap(([name, property]) => [
    { path: [...path, name], schema: property },
    ...propertiesOf(property, [...path, name]),
  ])
  return items === undefined ? below : [...below, ...propertiesOf(items, [...path, '*'])]
}

const placesIn = (of: readonly Contract[]) =>
  of.flatMap((contract) => [
    ...Object.entries({ path: contract.params, query: contract.query, form: contract.form }).flatMap(
      ([part, schema]) => (schema === undefined ? [] : propertiesOf(schema, [contract.id, part])),
    ),
    ...statusesOf(contract).flatMap((status) => {
      const response = contract.responses[status]
      return response !== undefined && isSuccess(response)
        ? propertiesOf(response.schema, [contract.id, `${status}`])
        : []
    }),
  ])

const otherwise = contractsUnder(all, others)

for (const [readings, of] of [
  ['by default', all],
  ['with every switch at another value', otherwise],
] as const)
  t.test(`everything that is declared cites a statement or an interpretation, ${readings}`, async (t) => {
    const places = placesIn(of)
    t.ok(places.length > 70, 'the properties are found')
    for (const { path, schema } of places) {
      t.ok((citesOf(schema)?.length ?? 0) > 0, `${path.join(' ')} cites something`)
      for (const limit of LIMITS.filter((keyword) => schema[keyword] !== undefined)) {
        const own = (schema['x-limits'] as Record<string, readonly string[]> | undefined)?.[limit]
        t.ok((own?.length ?? 0) > 0, `${path.join(' ')}: its ${limit} cites something of its own`)
      }
    }
    for (const contract of of) {
      for (const { place, cites } of citationsIn(contract)) {
        t.ok(cites.length > 0, `${contract.id} ${place} cites something`)
        const unknown = cites.filter((cite) => !known.has(cite))
        t.same(unknown, [], `${contract.id} ${place} cites what there is`)
      }
    }
  })

t.test('every statement is cited by a contract, unless it says what is not shown', async (t) => {
  const cited = new Set<string>(all.flatMap((contract) => citationsIn(contract).flatMap(({ cites }) => cites)))
  for (const id of shownStatements) t.ok(cited.has(id), `${id} is cited: ${textOf(id)}`)
  for (const statement of statements.filter((one) => 'notShown' in one))
    t.notOk(cited.has(statement.id), `${statement.id} is not cited, since it is not shown`)
})

t.test('statements and interpretations are numbered once each', async (t) => {
  const ids = [...statements, ...interpretations].map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'no number comes twice')
  t.equal(statements.length, 86, 'all sentences are there')
})

t.test('what only an interpretation says is not marked as documented', async (t) => {
  for (const contract of [...all, ...otherwise]) {
    for (const status of statusesOf(contract)) {
      const { provenance, cites } = contract.responses[status]!
      const label = `${contract.id}:${status} is ${provenance}`
      // The status of a success is ours, where the document shows its body alone.
      if (provenance === 'bodyNotShown') t.equal(basisOf(cites), 'documented', label)
      if (provenance === 'assumed') t.match(cites.join(), 'I-', `${label}, and cites a reading`)
    }
  }
})
