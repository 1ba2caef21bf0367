import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { ErrorBody } from '../schemas/conventions.js'
import { Attachment, Role } from '../schemas/resources.js'
import { api } from '../src/api/index.js'
import * as records from '../src/api/records.js'
import { contractsOf } from '../src/engine/api.js'
import { fixturesFormat } from '../src/engine/files/collections.js'
import { defaultsInProcess } from '../src/engine/files/config.js'
import { scenarioFormat } from '../src/engine/files/scenario.js'
import { configSchemaFor } from '../src/server/config-file.js'
import { optionTable } from '../src/server/options.js'

const { definition, rule } = scenarioFormat(contractsOf(api))
const ruleKeys: Schemas = rule.properties
const { schema: fixtures } = fixturesFormat(api.collections, api.fixturesPath)
const config = configSchemaFor(api)
const { interpretations }: Schemas = config.properties

// biome-ignore lint/suspicious/noExplicitAny: schemas by name.
type Schemas = Record<string, any>

/** In process, PEM texts or paths. */
const tls = Type.Object(
  { cert: Type.String({ description: 'The certificate.' }), key: Type.String({ description: 'Its private key.' }) },
  { description: 'Serve https with this certificate and its private key: PEM texts, or paths of PEM files.' },
)

/** Schemas whose types users can import; `plain-types.mjs` writes the types into `schemas/plain.ts`. */
export const publicSchemas: Readonly<Record<string, TSchema>> = {
  MockServerOptions: optionsInProcess(),
  Interpretations: interpretations,
  ScenarioDefinition: definition,
  ScenarioRule: rule,
  ScenarioAnswer: ruleKeys.answer,
  Matcher: ruleKeys.when.properties.token,
  Delay: ruleKeys.answer.properties.delay,
  Fixtures: fixtures,
  FixturesPatch: fixturesPatch(),
  User: records.users.schema,
  Organization: records.organizations.schema,
  OrganizationMember: records.organizationMembers.schema,
  SubOrganization: records.subOrganizations.schema,
  SubOrganizationMember: records.subOrganizationMembers.schema,
  Project: records.projects.schema,
  AttachmentRecord: records.attachments.schema,
  DocumentRecord: records.documents.schema,
  CreditHistoryRecord: records.creditHistories.schema,
  Invitation: records.invitations.schema,
  Signature: records.signatures.schema,
  SigningLink: records.signingLinks.schema,
  Attachment,
  Role,
  ErrorBody,
}

/** The options of `startMockServer`: the config file's keys with the defaults in process. */
function optionsInProcess(): TObject {
  const { $schema: _, version: __, ...keys } = config.properties
  const defaults: Readonly<Record<string, unknown>> = defaultsInProcess
  const flags: Readonly<Record<string, TSchema | undefined>> = optionTable
  const properties = Object.entries(keys).map(([name, schema]) => {
    const { description, default: fallback } = { ...flags[name], ...schema }
    const inProcess = defaults[name] ?? fallback
    return [name, { ...schema, description, ...(inProcess !== undefined && { default: inProcess }) }] as const
  })
  const { fixtures: path, tlsCert: ___, tlsKey: ____, ...others } = Object.fromEntries(properties)
  const pathOrRecords = Type.Unsafe({ ...path, anyOf: [{ type: 'string' }, fixtures], type: undefined })
  const optional = { fixtures: Type.Optional(pathOrRecords), tls: Type.Optional(tls) }
  return Type.Object({ ...others, ...optional, interpretations })
}

/** A record's key is required, its other fields are optional; null removes an optional field. */
function fixturesPatch(): TObject {
  const { extends: _, without: __, ...properties } = fixtures.properties
  const lists = api.collections.map(({ name, schema, key }) => {
    const fields = Object.entries(schema.properties).map(([field, one]) => {
      if (key.includes(field)) return [field, one] as const
      const { description } = one
      const isRequired = schema.required?.includes(field)
      return [field, Type.Optional(isRequired ? one : Type.Union([one, Type.Null()], { description }))] as const
    })
    return [name, Type.Array(Type.Object(Object.fromEntries(fields)))] as const
  })
  return Type.Partial(Type.Object({ ...properties, ...Object.fromEntries(lists) }))
}
