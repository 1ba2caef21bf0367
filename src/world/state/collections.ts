import type { CollectionName, RecordOf } from '../../../schemas/fixtures.js'

/** What is known of a collection besides its schema. */
interface Definition<R> {
  /** What no two records share. */
  readonly key: (record: R) => string
  /** Further look-ups, each by a string that several records may share; undefined where a record is found by none. */
  readonly lookUps?: { readonly [name: string]: (record: R) => string | undefined }
  /** Look-ups that find one record at most. */
  readonly unique?: readonly string[]
  /** The fields that refer to other records, each with the collection and the field it must be found in. */
  readonly references?: { readonly [Field in keyof R & string]?: readonly [to: CollectionName, target: string] }
}

export const membershipKey = (organizationId: number, email: string) => `${organizationId} ${email.toLowerCase()}`
export const memberKey = (subOrganizationUuid: string, id: number | string) =>
  `${subOrganizationUuid.toLowerCase()}/${id}`

const ORGANIZATION = ['organizations', 'id'] as const
const USER = ['users', 'uuid'] as const
const PROJECT = ['projects', 'uuid'] as const

const collections = {
  users: {
    key: (r) => r.uuid.toLowerCase(),
    lookUps: { token: (r) => r.token },
    unique: ['token'],
    references: { organization_id: ORGANIZATION },
  },
  organizations: { key: (r) => String(r.id), lookUps: { uuid: (r) => r.uuid.toLowerCase() }, unique: ['uuid'] },
  organization_members: {
    key: (r) => String(r.id),
    lookUps: { membership: (r) => membershipKey(r.organization_id, r.email) },
    references: { organization_id: ORGANIZATION },
  },
  sub_organizations: { key: (r) => r.uuid.toLowerCase(), references: { organization_id: ORGANIZATION } },
  sub_organization_members: {
    key: (r) => memberKey(r.sub_organization_uuid, r.id),
    references: { sub_organization_uuid: ['sub_organizations', 'uuid'] },
  },
  projects: {
    key: (r) => r.uuid.toLowerCase(),
    lookUps: { user: (r) => r.user_uuid.toLowerCase() },
    references: { user_uuid: USER },
  },
  attachments: { key: (r) => String(r.id), references: { project_uuid: PROJECT } },
  documents: { key: (r) => r.code, lookUps: { sha256: (r) => r.sha256 }, references: { user_uuid: USER } },
  credit_histories: {
    key: (r) => r.id.toLowerCase(),
    lookUps: { organization: (r) => r.organization_uuid.toLowerCase() },
    references: { organization_uuid: ['organizations', 'uuid'] },
  },
  invitations: {
    key: (r) => r.id,
    lookUps: {
      membership: (r) => membershipKey(r.organization_id, r.email),
      status: (r) => r.status,
      due: (r) => (r.status === 'pending' && r.accepts_at !== undefined ? 'true' : undefined),
    },
    references: { organization_id: ORGANIZATION, invited_by: USER },
  },
  signatures: {
    key: (r) => r.id,
    // Only the newest signature of a user keeps its image.
    lookUps: { withImage: (r) => (r.image === undefined ? undefined : r.user_uuid.toLowerCase()) },
    references: { user_uuid: USER },
  },
  signing_links: {
    key: (r) => r.id,
    lookUps: { recipient: (r) => `${r.project_uuid.toLowerCase()} ${r.email.toLowerCase()}` },
    references: { project_uuid: PROJECT, created_by: USER },
  },
} as const satisfies { readonly [Name in CollectionName]: Definition<RecordOf<Name>> }

function definitionOf<Name extends CollectionName>(name: Name): Definition<RecordOf<Name>> {
  // A look-up by a name that is a type of its own loses which one it is.
  return collections[name] as unknown as Definition<RecordOf<Name>>
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
  return definitionOf(name).lookUps?.[lookUp]?.(record as RecordOf<Name>)
}

export type LookUpOf<Name extends CollectionName> = (typeof collections)[Name] extends { lookUps: infer LookUps }
  ? keyof LookUps & string
  : never

export const collectionNames = Object.keys(collections) as CollectionName[]

/** Where records refer to others. */
export const references = collectionNames.flatMap((from) =>
  Object.entries<readonly [to: CollectionName, target: string]>(definitionOf(from).references ?? {}).map(
    ([field, [to, target]]) => ({ from, field, to, target }),
  ),
)

/** Fields that must not occur twice, beside the keys; each has a look-up of its name. */
export const uniques = collectionNames.flatMap((name) =>
  (definitionOf(name).unique ?? []).map((field) => ({ in: name, field })),
)
