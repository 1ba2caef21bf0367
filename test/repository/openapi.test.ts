import { Type } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { bodyOf, type Contract, shown, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { type OpenapiOptions, openapiDocument } from '../../src/docs/openapi/document.js'
import { openapiVersions } from '../../src/docs/openapi/versions.js'
import { build, fixtureFile, multipart } from '../helper.js'
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

/** Every object of a document, with its path. */
function* objects(
  node: unknown,
  path: readonly string[] = [],
): Generator<[readonly string[], Record<string, unknown>]> {
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

t.test('the document holds every operation with every status and its provenance', async (t) => {
  for (const version of openapiVersions) {
    for (const contract of all) {
      const operation = operationIn(documentOf({ version }), contract)
      t.match(
        operation,
        { operationId: contract.id, summary: contract.summary, 'x-section': contract.section },
        `${contract.id} in ${version} has its id, summary and section`,
      )
      t.strictSame(
        Object.keys(operation.responses!).map(Number),
        statusesOf(contract),
        `${contract.id} in ${version} has its statuses`,
      )
      for (const [status, response] of Object.entries(operation.responses!)) {
        t.equal(
          response['x-provenance'],
          contract.responses[Number(status)]?.provenance,
          `${contract.id}:${status} in ${version} has its provenance`,
        )
        t.strictSame(
          Object.keys(response.headers!),
          ['X-Mock-Outcome', 'X-Mock-Exchange'],
          `${contract.id}:${status} in ${version} has its headers`,
        )
      }
    }
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

/** A body without what is new in each answer: ids, times and the server's address. */
function alike(body: string): string {
  return body
    .replaceAll(/http:\/\/[^/"]+/g, 'ORIGIN')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
}

/** The request that an operation's sample is, read from the document alone. */
function sampleRequest(document: Node, path: string, method: string) {
  const { parameters, requestBody } = document.paths![path]![method]!
  const sampled = (parameters as unknown as Node[])
    .map((one) => (one.$ref === undefined ? one : document.components!.parameters![`${one.$ref}`.split('/').at(-1)!]!))
    .filter(({ examples }) => examples !== undefined)
    .map((one) => ({ name: `${one.name}`, place: `${one.in}`, value: `${one.examples!.sample!.value}` }))
  const inPath = new Map(sampled.filter(({ place }) => place === 'path').map(({ name, value }) => [name, value]))
  const query = sampled.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value])
  const { schema, examples } = requestBody?.content?.['multipart/form-data'] ?? {}
  const fields = Object.entries((examples?.sample?.value ?? {}) as object).map(([name, value]) =>
    schema!.properties![name]!.format === ('binary' as unknown) ? [name, fixtureFile(value)] : [name, value],
  )
  const form = schema && multipart(fields as [string, string][])
  const json = requestBody?.content?.['application/json']?.examples?.sample?.value
  return {
    method: method.toUpperCase() as 'GET',
    url: `${path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? '')}?${new URLSearchParams(query as [string, string][])}`,
    headers: {
      authorization: 'Bearer token-admin',
      ...form?.headers,
      ...(json && { 'content-type': 'application/json' }),
    },
    payload: form?.body ?? (json && JSON.stringify(json)),
  }
}

t.test(
  'the sample of an operation is one call and its answer, by one name on parameters, body and success',
  async (t) => {
    for (const version of openapiVersions) {
      const document = documentOf({ version })
      const { app } = await build(t)
      for (const { id, path, method } of all) {
        const response = await app.inject(sampleRequest(document, path, method.toLowerCase()))
        t.equal(response.statusCode, 200, `${id} in ${version}: the sample is answered`, { body: response.payload })
        const content = document.paths![path]![method.toLowerCase()]!.responses!['200']!.content!['application/json']!
        const sample = content.examples!.sample!.value as Record<string, unknown>
        t.same(Object.keys(response.json()), Object.keys(sample), `${id} in ${version}: with the keys of the sample`)
        // A list holds more than the sample shows.
        const isList = Object.values(sample).some(Array.isArray)
        if (!isList)
          t.equal(alike(response.payload), alike(JSON.stringify(sample)), `${id} in ${version}: as the sample says`)
      }
    }
  },
)

t.test('each answer names its own outcome', async (t) => {
  const document = documentOf()
  for (const contract of all) {
    for (const [status, { headers }] of Object.entries(operationIn(document, contract).responses!)) {
      t.equal(headers!['X-Mock-Outcome']!.example as unknown, `${contract.id}:${status}`, `${contract.id}:${status}`)
    }
  }
})

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
    for (const [path, node] of objects(document)) {
      if (node.schema === undefined) continue
      const pointer = [...path, 'schema'].map((one) =>
        encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1')),
      )
      const fits = ajv.compile({ $ref: `openapi#/${pointer.join('/')}` })
      const at = path.filter((one) => !['paths', 'content', 'application/json'].includes(one)).join(' ')
      const named = Object.entries((node.examples ?? {}) as Node).map(([name, { value }]) => [name, value] as const)
      for (const [name, value] of 'example' in node ? [['', node.example] as const, ...named] : named) {
        examples++
        t.ok(fits(value), `${errorBody}: the example ${name} at ${at} fits`, { value, errors: fits.errors })
      }
    }
    t.ok(examples > 60, `there are ${errorBody} examples`, { examples })
  }
})

t.test('the invalid answer is shown for each required parameter that may be missing', async (t) => {
  const invite = all.find(({ id }) => id === 'addOrganizationMember') as Contract
  const { examples } = operationIn(documentOf(), invite).responses!['400']!.content!['application/json']!
  t.match(
    examples,
    {
      missing_user_type: { value: { error: { code: 400, message: "The query parameter 'user_type' is missing." } } },
      missing_data_0_role: { value: { error: { code: 400, message: "The form field 'data[0][role]' is missing." } } },
    },
    'each parameter has its example',
  )
})

t.test('parameters and form fields keep their names and whether they are required', async (t) => {
  for (const version of openapiVersions) {
    const document = documentOf({ version })
    for (const contract of all) {
      const { parameters, requestBody } = operationIn(document, contract)
      const named = (parameters as unknown as { $ref?: string; name: string; in: string; required: boolean }[]).map(
        (one) => (one.$ref === undefined ? one : document.components!.parameters![one.$ref.split('/').at(-1)!]!),
      )
      const expected = [...Object.keys(contract.params.properties), ...Object.keys(contract.query.properties), 'Prefer']
      t.strictSame(
        named.map(({ name }) => name),
        expected,
        `${contract.id} in ${version} has its parameters`,
      )
      const required = [...(contract.params.required ?? []), ...(contract.query.required ?? [])]
      t.strictSame(
        named.filter((one) => one.required).map(({ name }) => name),
        required,
        `${contract.id} in ${version} says which are required`,
      )
      const [sent] = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema as Node)
      const body = bodyOf(contract)
      t.strictSame(
        sent && Object.keys(sent.properties!),
        body && Object.keys(body.schema.properties),
        `${contract.id} in ${version} has the fields of its body`,
      )
      t.strictSame(sent?.required, body?.schema.required, `${contract.id} in ${version} says which fields are required`)
    }
  }
})

t.test('files are binary strings of the media type that the document names', async (t) => {
  for (const version of openapiVersions) {
    for (const [id, contentType] of [
      ['uploadSignature', 'image/png'],
      ['verifyDocument', 'application/pdf'],
    ]) {
      const contract = all.find((one) => one.id === id) as Contract
      const { schema, encoding } = operationIn(documentOf({ version }), contract).requestBody!.content![
        'multipart/form-data'
      ]!
      t.match(schema!.properties!.file, { type: 'string', format: 'binary' }, `${id} in ${version}: the file is binary`)
      t.strictSame(encoding, { file: { contentType } }, `${id} in ${version}: the file has its media type`)
    }
  }
})

t.test('every operation takes the bearer token, and the project search a header of its own instead', async (t) => {
  const document = documentOf()
  for (const contract of all) {
    const either = contract.id === 'searchProtectedAttachments' ? [{ bearer: [] }, { userToken: [] }] : [{ bearer: [] }]
    t.strictSame(operationIn(document, contract).security, either, `${contract.id} takes its token where it is read`)
  }
  t.match(
    document.components!.securitySchemes,
    {
      bearer: { type: 'http', scheme: 'bearer' },
      userToken: { type: 'apiKey', in: 'header', name: 'user-token' },
    },
    'both ways are described',
  )
})

t.test('nothing of the mock itself leaks into schemas, and 3.0 is written as 3.0', async (t) => {
  const internal = ['$id', '$schema', 'x-allowed', 'contentMediaType']
  const newer = ['examples', 'const', '$defs', 'prefixItems']
  for (const [version, unwanted] of [
    ['3.1', internal],
    ['3.0', [...internal, ...newer]],
  ] as const) {
    const document = documentOf({ version })
    const found = schemasOf(document).flatMap((schema) =>
      unwanted.filter((keyword) => keyword in schema && schema[keyword] !== 'application/json'),
    )
    t.strictSame(found, [], `${version} is without ${unwanted.join(', ')}`)
    t.notOk(JSON.stringify(document).includes('"required":[]'), `${version} has no empty list of required names`)
    t.equal(document.openapi, version === '3.1' ? '3.1.0' : '3.0.3', `${version} says its version`)
  }
  const Answer = Type.Object({
    kind: Type.Literal('one'),
    share: Type.Number({ exclusiveMinimum: 0 }),
    note: Type.Union([Type.String(), Type.Null()]),
  })
  const odd: Contract = {
    ...(all[0] as Contract),
    responses: { 200: shown.answer(['I-01'], 'Odd.', Answer, { kind: 'one', share: 1, note: null }) },
  }
  const { schema } = operationIn(documentOf({ version: '3.0' }, [odd]), odd).responses!['200']!.content![
    'application/json'
  ]!
  t.match(
    schema!.properties,
    {
      kind: { enum: ['one'] },
      share: { minimum: 0, exclusiveMinimum: true },
      note: { type: 'string', nullable: true },
    },
    'what 3.0 cannot say is said in its own way',
  )
})

t.test('the resources that the document names are shared, and only what is used is there', async (t) => {
  const schemas = (of: readonly Contract[]) => Object.keys(documentOf({}, of).components!.schemas!).sort()
  const resources = ['Attachment', 'CreditHistory', 'Error', 'SubOrganizationMember', 'VerifiedDocument']
  t.strictSame(schemas(all), resources, 'the resources are shared')
  t.strictSame(
    schemas(contractsUnder(all, FLAT)),
    [...resources, 'FlatError'].sort(),
    'the flat error is shared where it is used',
  )
})

t.test('error bodies and security schemes say what they rest on', async (t) => {
  for (const version of openapiVersions) {
    const document = documentOf({ version })
    for (const contract of all) {
      const declared = Object.entries(operationIn(document, contract).responses!)
      for (const [status, { 'x-cites': cites }] of declared.filter(([status]) => Number(status) >= 400)) {
        const own: readonly string[] = contract.responses[Number(status)]?.cites ?? []
        const assumed = contract.id === 'listCreditHistories' || own.includes('I-02') ? [] : ['I-02']
        t.strictSame(cites, [...own, ...assumed], `${contract.id} ${status} in ${version}`)
      }
    }
    const { Error: error } = document.components!.schemas!
    t.match(error, { description: /credit histories.*other operations.*I-02/ }, 'what is true of all')
    const { error: outer } = error!.properties!
    t.match(outer, {
      'x-cites': ['SE.7'],
      properties: { code: { 'x-cites': ['SE.7'] }, message: { 'x-cites': ['SE.7'] } },
    })
    const { bearer, userToken } = document.components!.securitySchemes!
    t.strictSame(
      [bearer!['x-cites'], userToken!['x-cites']],
      [
        ['SA.2', 'SA.1'],
        ['SA.3', 'I-15'],
      ],
      'security schemes',
    )
  }
})

t.test('the servers are the world that was asked and the sandboxes beside it', async (t) => {
  const urls = (serverUrl?: string) =>
    (documentOf({ serverUrl }).servers as unknown as { url: string }[]).map(({ url }) => url)
  t.strictSame(
    urls(),
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/~{sandbox}'],
    'the root and its sandboxes, by default',
  )
  t.strictSame(
    urls('http://localhost:1/~w-1'),
    ['http://localhost:1/~w-1', 'http://localhost:1/~{sandbox}'],
    'a sandbox and those beside it',
  )
})
