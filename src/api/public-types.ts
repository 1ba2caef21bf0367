import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { interpretations } from '../../schemas/interpretations.js'
import { Attachment, Role } from '../../schemas/resources.js'
import { statements } from '../../schemas/statements.js'
import { ErrorBody } from '../engine/contract/bodies.js'
import { Config, defaultsInProcess, Options } from '../engine/files/config.js'
import { ScenarioDefinition } from '../engine/files/scenario.js'
import { Fixtures } from './records.js'

export const citeIds: readonly string[] = [...statements, ...interpretations].map(({ id }) => id)

const records = Fixtures.properties as unknown as Readonly<Record<string, { readonly items: TSchema }>>
const recordOf = (collection: string): TSchema => records[collection]!.items
const rule = ScenarioDefinition.properties.rules.items
const interpretationsSchema = Config.properties.interpretations

/** In process, PEM texts or paths. */
const tls = Type.Object(
  { cert: Type.String({ description: 'The certificate.' }), key: Type.String({ description: 'Its private key.' }) },
  { description: 'Serve https with this certificate and its private key: PEM texts, or paths of PEM files.' },
)

/** The schemas whose types programs may name; `scripts/generate.mjs` writes them into `plain.ts`. */
export const publicSchemas: Readonly<Record<string, TSchema>> = {
  MockServerOptions: optionsInProcess(),
  Interpretations: interpretationsSchema,
  ScenarioDefinition,
  ScenarioRule: rule,
  ScenarioAnswer: rule.properties.answer,
  Matcher: rule.properties.when.properties.token,
  Delay: rule.properties.answer.properties.delay,
  Fixtures,
  User: recordOf('users'),
  Organization: recordOf('organizations'),
  OrganizationMember: recordOf('organization_members'),
  SubOrganization: recordOf('sub_organizations'),
  SubOrganizationMember: recordOf('sub_organization_members'),
  Project: recordOf('projects'),
  AttachmentRecord: recordOf('attachments'),
  DocumentRecord: recordOf('documents'),
  CreditHistoryRecord: recordOf('credit_histories'),
  Invitation: recordOf('invitations'),
  Signature: recordOf('signatures'),
  SigningLink: recordOf('signing_links'),
  Attachment,
  Role,
  ErrorBody,
}

/** The keys of the config file in process. */
function optionsInProcess(): TObject {
  const keys = Type.Omit(Config, ['$schema', 'version']).properties as Readonly<Record<string, TSchema>>
  const defaults: Readonly<Record<string, unknown>> = defaultsInProcess
  const flags: Readonly<Record<string, TSchema | undefined>> = Options.properties
  const properties = Object.entries(keys).map(([name, schema]) => {
    const { description, default: fallback } = { ...flags[name], ...schema }
    const inProcess = defaults[name] ?? fallback
    return [name, { ...schema, description, ...(inProcess !== undefined && { default: inProcess }) }] as const
  })
  const { fixtures, tlsCert: _, tlsKey: __, ...others } = Object.fromEntries(properties)
  const data = { ...fixtures, anyOf: [{ type: 'string' }, Fixtures], type: undefined }
  const optional = { fixtures: Type.Optional(data as unknown as TSchema), tls: Type.Optional(tls) }
  return Type.Object({ ...others, ...optional, interpretations: interpretationsSchema }) as TObject
}
