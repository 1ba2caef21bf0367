import type { CollectionName, RecordOf } from '../../../schemas/fixtures.js'

/** How a collection's records are identified and looked up. */
export interface CollectionDefinition<R> {
  /** What no two records share. */
  readonly key: (record: R) => string
  /** Further look-ups, each by a string that several records may share; undefined where a record is found by none. */
  readonly lookUps: { readonly [name: string]: (record: R) => string | undefined }
}

export const membershipKey = (organizationId: number, email: string) => `${organizationId} ${email.toLowerCase()}`
export const memberKey = (subOrganizationUuid: string, id: number | string) =>
  `${subOrganizationUuid.toLowerCase()}/${id}`

/** Every collection's key and look-ups; the only place that names them. */
const collections = {
  users: { key: (r) => r.uuid.toLowerCase(), lookUps: { token: (r) => r.token } },
  organizations: { key: (r) => String(r.id), lookUps: { uuid: (r) => r.uuid.toLowerCase() } },
  organization_members: {
    key: (r) => String(r.id),
    lookUps: { membership: (r) => membershipKey(r.organization_id, r.email) },
  },
  sub_organizations: { key: (r) => r.uuid.toLowerCase(), lookUps: {} },
  sub_organization_members: { key: (r) => memberKey(r.sub_organization_uuid, r.id), lookUps: {} },
  projects: { key: (r) => r.uuid.toLowerCase(), lookUps: { user: (r) => r.user_uuid.toLowerCase() } },
  attachments: { key: (r) => String(r.id), lookUps: {} },
  documents: { key: (r) => r.code, lookUps: { sha256: (r) => r.sha256 } },
  credit_histories: {
    key: (r) => r.id.toLowerCase(),
    lookUps: { organization: (r) => r.organization_uuid.toLowerCase() },
  },
  invitations: {
    key: (r) => r.id,
    lookUps: {
      membership: (r) => membershipKey(r.organization_id, r.email),
      status: (r) => r.status,
      due: (r) => (r.status === 'pending' && r.accepts_at !== undefined ? 'true' : undefined),
    },
  },
  signatures: {
    key: (r) => r.id,
    // Only the newest signature of a user keeps its image.
    lookUps: { withImage: (r) => (r.image === undefined ? undefined : r.user_uuid.toLowerCase()) },
  },
  signing_links: {
    key: (r) => r.id,
    lookUps: { recipient: (r) => `${r.project_uuid.toLowerCase()} ${r.email.toLowerCase()}` },
  },
} as const satisfies { readonly [Name in CollectionName]: CollectionDefinition<RecordOf<Name>> }

/** The definition of the collection of a name, typed by its records. */
export function definitionOf<Name extends CollectionName>(name: Name): CollectionDefinition<RecordOf<Name>> {
  // A look-up by a name that is a type of its own loses which one it is.
  return collections[name] as unknown as CollectionDefinition<RecordOf<Name>>
}

/** What no other record of a collection shares with a record. */
export function keyOf<Name extends CollectionName>(name: Name, record: object): string {
  return definitionOf(name).key(record as RecordOf<Name>)
}

/** The value by which a look-up finds a record. */
export function lookedUpBy<Name extends CollectionName>(
  name: Name,
  lookUp: string,
  record: object,
): string | undefined {
  return definitionOf(name).lookUps[lookUp]?.(record as RecordOf<Name>)
}

export type LookUpOf<Name extends CollectionName> = keyof (typeof collections)[Name]['lookUps'] & string

export const collectionNames = Object.keys(collections) as CollectionName[]

/** Where records point to: the field, and the collection and field it must be found in. */
export const references: readonly {
  readonly from: CollectionName
  readonly field: string
  readonly to: CollectionName
  readonly target: string
}[] = [
  { from: 'users', field: 'organization_id', to: 'organizations', target: 'id' },
  { from: 'organization_members', field: 'organization_id', to: 'organizations', target: 'id' },
  { from: 'sub_organizations', field: 'organization_id', to: 'organizations', target: 'id' },
  { from: 'sub_organization_members', field: 'sub_organization_uuid', to: 'sub_organizations', target: 'uuid' },
  { from: 'projects', field: 'user_uuid', to: 'users', target: 'uuid' },
  { from: 'attachments', field: 'project_uuid', to: 'projects', target: 'uuid' },
  { from: 'documents', field: 'user_uuid', to: 'users', target: 'uuid' },
  { from: 'credit_histories', field: 'organization_uuid', to: 'organizations', target: 'uuid' },
  { from: 'invitations', field: 'organization_id', to: 'organizations', target: 'id' },
  { from: 'invitations', field: 'invited_by', to: 'users', target: 'uuid' },
  { from: 'signatures', field: 'user_uuid', to: 'users', target: 'uuid' },
  { from: 'signing_links', field: 'project_uuid', to: 'projects', target: 'uuid' },
  { from: 'signing_links', field: 'created_by', to: 'users', target: 'uuid' },
]

/** Fields that must not occur twice, beside the keys; each has a look-up of its name. */
export const uniques: readonly { readonly in: CollectionName; readonly field: string }[] = [
  { in: 'users', field: 'token' },
  { in: 'organizations', field: 'uuid' },
]
