import { OptionalKind, type TSchema } from '@sinclair/typebox'
import { type Api, contractsOf } from '../../engine/api.js'
import { constantPairs } from '../../engine/contract/contract.js'
import { scenarioSchemaForEditors } from '../../engine/files/editors.js'
import { scenarioFormat } from '../../engine/files/scenario.js'

/** Records that mails link to; each has `id` and `status`. */
export interface RecordsBehindMails {
  /** `GET PATH` lists them under the key PATH; mails link to `/PATH/ID`. */
  readonly path: string
  readonly name: string
  /** A sentence for an empty list of mails. */
  readonly emptyHint: string
  readonly tones: Readonly<Record<string, 'waiting' | 'good' | 'bad'>>
  /** The status of records that can be answered. */
  readonly answerable: string
  /** Each is sent as `POST PATH/ID/NAME`; the usual one is first. */
  readonly answers: readonly { readonly name: string; readonly label: string }[]
}

/** Embedded in the page. */
export type ApiFacts = Awaited<ReturnType<typeof readApiFacts>>
export type ShownCollection = ApiFacts['collections'][number]

export async function readApiFacts(api: Api, journalSize: number) {
  const module = (await api.forTools.dashboard?.()) as { readonly recordsBehindMails: RecordsBehindMails } | undefined
  const contracts = contractsOf(api)
  const shipped = Object.keys(api.scenarios())
  const scenarioSchema = scenarioSchemaForEditors(scenarioFormat(contracts), { ...api, contracts, shipped })
  return {
    journalSize,
    collections: api.collections.map(({ name, key, unique, references, schema }) => {
      return { name, key, unique, references, fields: fieldsIn(schema) }
    }),
    /** The fields that identify a user. */
    userKey: api.users.collection.key,
    /** With their names in the OpenAPI document. */
    tokenHeaders: api.conventions.tokenHeaders.map(({ name, security }) => ({ name, security: security.name })),
    /** Query pairs that lists of requests hide: nearly every call has them. */
    constantPairs: constantPairs(contracts),
    /** Preferably an operation that only reads. */
    exampleOperation: (contracts.find(({ method }) => method === 'GET') ?? contracts[0])?.id,
    scenarioKeys: keysIn(scenarioSchema),
    recordsBehindMails: module?.recordsBehindMails,
  }
}

/** All keys in a schema, each with its allowed values. */
function keysIn(schema: unknown, keys: Record<string, string[]> = Object.create(null)): Record<string, string[]> {
  if (typeof schema !== 'object' || schema === null) return keys
  for (const [key, property] of Object.entries<TSchema>((schema as TSchema).properties ?? {}))
    keys[key] = [...new Set([...(keys[key] ?? []), ...valuesIn(property)])]
  for (const part of Object.values(schema)) keysIn(part, keys)
  return keys
}

function valuesIn({ enum: values = [], const: value, anyOf = [], items }: TSchema): string[] {
  const own = value === undefined ? values : [...values, value]
  const inner: TSchema[] = items === undefined ? anyOf : [...anyOf, items]
  return [...own.map(String), ...inner.flatMap(valuesIn)]
}

export interface ShownField {
  readonly name: string
  readonly type: string | undefined
  readonly isOptional: boolean
  /** Empty if every value is allowed. */
  readonly values: readonly string[]
}

/** Includes nested fields. */
function fieldsIn(schema: TSchema, name = ''): readonly ShownField[] {
  const { type, anyOf = [], properties } = schema
  const parts = [{ properties }, ...anyOf].flatMap((one) => Object.entries<TSchema>(one.properties ?? {}))
  if (parts.length === 0) return [{ name, type, isOptional: OptionalKind in schema, values: valuesIn(schema) }]
  const fields = parts.flatMap(([key, one]) => fieldsIn(one, name === '' ? key : `${name}.${key}`))
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}
