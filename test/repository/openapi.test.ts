import type { TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { api } from '../../src/api/index.js'
import { applySwitches } from '../../src/engine/api.js'
import { quoteCitation } from '../../src/engine/contract/citable-texts.js'
import { citationsIn } from '../../src/engine/contract/citations.js'
import { basisOf, type Cite, citesOf, LIMITS } from '../../src/engine/contract/cites.js'
import { type Contract, isSuccess, statusesOf } from '../../src/engine/contract/contract.js'
import { isFile } from '../../src/engine/contract/fields.js'
import { defaultValues } from '../../src/engine/contract/switches.js'
import { type OpenapiOptions, openapiDocument } from '../../src/tools/openapi/document.js'
import { contractsWith, otherValues } from '../switches/build-with.js'

type Node = { readonly [key: string]: Node }
const all: readonly Contract[] = contracts

function documentOf(options: Partial<OpenapiOptions> = {}, switches: object = {}): Node {
  const switched = applySwitches(api, { ...defaultValues(api.switches), ...switches })
  const document = openapiDocument(switched, { version: '3.1', packageVersion: '1.2.3', preferences: {}, ...options })
  return JSON.parse(JSON.stringify(document))
}

type PathAndNode = [path: readonly string[], node: Record<string, unknown>]

function* objectsIn(node: unknown, path: readonly string[] = []): Generator<PathAndNode> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [path, node as Record<string, unknown>]
  for (const [key, value] of Object.entries(node)) yield* objectsIn(value, [...path, key])
}

t.test('every example fits its schema', async (t) => {
  for (const [errorBody, switches] of Object.entries({ nested: {}, flat: { errorBody: 'flat' }, other: otherValues })) {
    const document = documentOf({}, switches)
    const ajv = new Ajv2020({ strict: false, formats: { binary: true } })
    addFormats.default(ajv, ['uuid', 'email', 'date-time', 'uri'])
    ajv.addSchema(document, 'openapi')
    let examples = 0
    for (const [path, { schema, ...node }] of objectsIn(document)) {
      if (schema === undefined) continue
      const pointer = [...path, 'schema'].map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1'))
      const fits = ajv.compile({ $ref: `openapi#/${pointer.map(encodeURIComponent).join('/')}` })
      const values = Object.values((node.examples ?? {}) as Node).map(({ value }) => value as unknown)
      for (const value of 'example' in node ? [node.example, ...values] : values) {
        examples++
        t.ok(fits(value), `${errorBody}: an example at ${path.join(' ')} fits`, { value, errors: fits.errors })
      }
    }
    t.ok(examples > 60, `there are ${errorBody} examples`, { examples })
  }
})

const shownStatements = api.statements.filter(({ notShown }) => notShown !== true).map(({ id }) => id)
const knownIds = new Set<string>([...api.statements, ...api.interpretations].map(({ id }) => id))

function propertiesOf(schema: TSchema, path: readonly string[] = []): { path: readonly string[]; schema: TSchema }[] {
  const properties = isFile(schema) ? [] : Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const items = schema.items as TSchema | undefined
  const below = properties.flatMap(([name, property]) => [
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

const switchedContracts = contractsWith(otherValues)

for (const [switches, of] of [
  ['by default', all],
  ['with every switch at another value', switchedContracts],
] as const)
  t.test(`every declaration cites a statement or an interpretation, ${switches}`, async (t) => {
    const places = placesIn(of)
    t.ok(places.length > 70, 'the properties are found')
    for (const { path, schema } of places) {
      t.ok((citesOf(schema)?.length ?? 0) > 0, `${path.join(' ')} cites something`)
      for (const limit of LIMITS.filter((keyword) => schema[keyword] !== undefined)) {
        const cites = (schema['x-limit-cites'] as Record<string, readonly Cite[]> | undefined)?.[limit]
        for (const cite of cites ?? []) t.notMatch(quoteCitation(api, cite), 'undefined', `${cite} has a text`)
        t.ok((cites?.length ?? 0) > 0, `${path.join(' ')}: its ${limit} has a citation`)
      }
    }
    for (const contract of of) {
      for (const [at, cites] of citationsIn(contract).entries()) {
        t.ok(cites.length > 0, `${contract.id}, citation ${at}, cites something`)
        const unknown = cites.filter((cite) => !knownIds.has(cite))
        t.same(unknown, [], `${contract.id}, citation ${at}, cites known ids`)
      }
    }
  })

t.test('every statement is cited by a contract, except those about something that is not shown', async (t) => {
  const cited = new Set<string>(all.flatMap((contract) => citationsIn(contract).flat()))
  for (const id of shownStatements) t.ok(cited.has(id), `${quoteCitation(api, id)} is cited`)
  for (const statement of api.statements.filter(({ notShown }) => notShown))
    t.notOk(cited.has(statement.id), `${statement.id} is not cited: it is about something not shown`)
})

t.test('ids of statements and interpretations are unique', async (t) => {
  const ids = [...api.statements, ...api.interpretations].map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'no id is repeated')
})

t.test('a response that rests only on an interpretation is not marked as documented', async (t) => {
  for (const contract of [...all, ...switchedContracts]) {
    for (const status of statusesOf(contract)) {
      const { provenance, cites } = contract.responses[status]!
      const label = `${contract.id}:${status} is ${provenance}`
      // `shown` is not checked: if the document shows only a body, the status is our interpretation.
      if (provenance === 'bodyNotShown') t.equal(basisOf(cites), 'documented', label)
      if (provenance === 'assumed') t.match(cites.join(), 'I-', `${label}, and cites an interpretation`)
    }
  }
})
