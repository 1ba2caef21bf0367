import { type Api, contractsOf } from '../../engine/api.js'
import { constantPairs } from '../../engine/contract/contract.js'
import { scenarioFileForEditors } from '../../engine/files/editors.js'
import { scenarioFormat } from '../../engine/files/scenario.js'
import type { ApiFacts, DashboardDefinition, ShownField } from './api-facts.js'

export async function readApiFacts(api: Api): Promise<ApiFacts> {
  const definition = (await api.forTools.dashboard?.()) as DashboardDefinition | undefined
  const contracts = contractsOf(api)
  const shipped = Object.keys(api.scenarios())
  const scenarioSchema = scenarioFileForEditors(scenarioFormat(contracts), { ...api, contracts, shipped })
  return {
    collections: api.collections.map(({ name, key, unique, references, schema }) => {
      return { name, key, unique, references, fields: fieldsIn(schema) }
    }),
    userKey: api.users.collection.key,
    tokenHeaders: api.conventions.tokenHeaders.map(({ name, security }) => ({ name, security: security.name })),
    constantPairs: constantPairs(contracts),
    firstOperation: (contracts.find(({ method }) => method === 'GET') ?? contracts[0])?.id,
    scenarioKeys: keysIn(scenarioSchema),
    recordsBehindMails: definition?.recordsBehindMails,
  }
}

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
}

/** With their values. */
function keysIn(schema: unknown, keys: Record<string, string[]> = Object.create(null)): Record<string, string[]> {
  if (typeof schema !== 'object' || schema === null) return keys
  for (const [key, property] of Object.entries((schema as JsonSchema).properties ?? {}))
    keys[key] = [...new Set([...(keys[key] ?? []), ...valuesIn(property)])]
  for (const part of Object.values(schema)) keysIn(part, keys)
  return keys
}

function valuesIn({ enum: values = [], const: value, anyOf = [], items }: JsonSchema): string[] {
  const own = [...values, ...(value === undefined ? [] : [value])].map(String)
  const inner = items === undefined ? anyOf : [...anyOf, items]
  return [...own, ...inner.flatMap(valuesIn)]
}

/** Includes nested values. */
function fieldsIn(schema: object, name = ''): readonly ShownField[] {
  const { type, anyOf = [], properties } = schema as JsonSchema
  const parts = [{ properties }, ...anyOf].flatMap((one) => Object.entries(one.properties ?? {}))
  if (parts.length === 0) return [{ name, type, values: valuesIn(schema) }]
  const fields = parts.flatMap(([key, one]) => fieldsIn(one, name === '' ? key : `${name}.${key}`))
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}
