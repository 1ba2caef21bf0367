import { type Static, type TObject, Type } from '@sinclair/typebox'
import { PERMISSIONS, singleLine, USER_TYPE } from '../../schemas/conventions.js'
import { Attachment, CreditHistory, Role, SubOrganizationMember } from '../../schemas/resources.js'
import { closedObject, email, headerWord, isoTime, oneOf, uuid } from '../engine/contract/fields.js'
import { type CollectionDefinition, defineCollection } from '../engine/files/collections.js'
import type { Sandbox, SandboxCaller } from '../engine/sandbox/sandbox.js'

const User = closedObject({
  uuid: uuid(),
  token: headerWord({ description: 'The user token that authenticates this user.' }),
  email: email(),
  first_name: singleLine(),
  last_name: singleLine(),
  user_type: singleLine({ examples: [USER_TYPE] }),
  organization_id: Type.Integer(),
  permissions: Type.Array(oneOf(PERMISSIONS)),
})

const Organization = closedObject({ id: Type.Integer(), uuid: uuid(), name: singleLine() })

const OrganizationMember = closedObject({
  id: Type.Integer(),
  organization_id: Type.Integer(),
  email: email(),
  first_name: singleLine(),
  last_name: singleLine(),
  role: Role,
})

const SubOrganization = closedObject({ uuid: uuid(), organization_id: Type.Integer(), name: singleLine() })

const SubOrganizationMemberRecord = closedObject({ ...SubOrganizationMember.properties, sub_organization_uuid: uuid() })

const Project = closedObject({ uuid: uuid(), user_uuid: uuid(), name: singleLine() })

const AttachmentRecord = closedObject({ ...Attachment.properties, project_uuid: uuid() })

const Document = closedObject({
  code: singleLine({ description: 'The document code.' }),
  user_uuid: uuid({ description: 'The user who owns the document.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: "The PDF's sha256 in lower-case hex." }),
  status: singleLine({ description: '`verified`, or any other word for a document that cannot be verified (I-08).' }),
})

const CreditHistoryRecord = closedObject({
  ...CreditHistory.properties,
  created_at: isoTime(),
  received_by: Type.Optional(singleLine({ description: 'Who received the credits.' })),
})

const Invitation = closedObject({
  id: uuid(),
  email: email(),
  first_name: singleLine(),
  last_name: singleLine(),
  role: Role,
  organization_id: Type.Integer(),
  status: oneOf(['pending', 'accepted', 'declined']),
  created_at: isoTime(),
  invited_by: Type.Optional(uuid({ description: 'The user who invites.' })),
  accepts_at: Type.Optional(
    isoTime({ description: "When the invitation is accepted automatically, by the sandbox's clock." }),
  ),
})

const Signature = closedObject({
  id: uuid(),
  user_uuid: uuid(),
  filename: Type.String(),
  media_type: Type.String({ description: 'The media type, recognised from the content of the file.' }),
  size: Type.Integer({ minimum: 1, description: 'Bytes.' }),
  sha256: Type.String(),
  source: Type.Optional(Type.String()),
  uuid: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  created_at: isoTime(),
  image: Type.Optional(Type.String({ description: 'A data: URL, kept for small images so that pages can show them.' })),
})

const SigningLink = closedObject({
  id: uuid(),
  project_uuid: uuid(),
  email: email(),
  created_at: isoTime(),
  created_by: Type.Optional(uuid({ description: 'The user who created the link.' })),
  signed_at: Type.Optional(isoTime()),
})

export const users = defineCollection('users', {
  schema: User,
  key: ['uuid'],
  unique: ['token'],
  references: { organization_id: ['organizations', 'id'] },
  indexes: { token: ({ token }) => token },
})

export const organizations = defineCollection('organizations', {
  schema: Organization,
  key: ['id'],
  unique: ['uuid'],
  indexes: { uuid: ({ uuid }) => uuid.toLowerCase() },
})

/** The index key of a member or an invitee. */
export function membershipKey({ organization_id, email }: { organization_id: number; email: string }): string {
  return `${organization_id} ${email.toLowerCase()}`
}

export const organizationMembers = defineCollection('organization_members', {
  schema: OrganizationMember,
  key: ['id'],
  references: { organization_id: ['organizations', 'id'] },
  indexes: { membership: membershipKey },
})

export const subOrganizations = defineCollection('sub_organizations', {
  schema: SubOrganization,
  key: ['uuid'],
  references: { organization_id: ['organizations', 'id'] },
})

export const subOrganizationMembers = defineCollection('sub_organization_members', {
  schema: SubOrganizationMemberRecord,
  key: ['sub_organization_uuid', 'id'],
  references: { sub_organization_uuid: ['sub_organizations', 'uuid'] },
})

export const projects = defineCollection('projects', {
  schema: Project,
  key: ['uuid'],
  references: { user_uuid: ['users', 'uuid'] },
  indexes: { user_uuid: ({ user_uuid }) => user_uuid.toLowerCase() },
})

export const attachments = defineCollection('attachments', {
  schema: AttachmentRecord,
  key: ['id'],
  references: { project_uuid: ['projects', 'uuid'] },
  indexes: { project_uuid: ({ project_uuid }) => project_uuid.toLowerCase() },
})

export const documents = defineCollection('documents', {
  schema: Document,
  key: ['code'],
  references: { user_uuid: ['users', 'uuid'] },
  indexes: { sha256: ({ sha256 }) => sha256 },
})

export const creditHistories = defineCollection('credit_histories', {
  schema: CreditHistoryRecord,
  key: ['id'],
  references: { organization_uuid: ['organizations', 'uuid'] },
})

export const invitations = defineCollection('invitations', {
  schema: Invitation,
  key: ['id'],
  references: { organization_id: ['organizations', 'id'], invited_by: ['users', 'uuid'] },
  indexes: {
    membership: membershipKey,
    /** Invitations that will be accepted automatically. */
    scheduled: ({ accepts_at }) => (accepts_at === undefined ? undefined : 'scheduled'),
  },
})

export const signatures = defineCollection('signatures', {
  schema: Signature,
  key: ['id'],
  references: { user_uuid: ['users', 'uuid'] },
  indexes: { imageOwner: ({ image, user_uuid }) => (image === undefined ? undefined : user_uuid.toLowerCase()) },
})

/** The index key of a signing link. */
export function signingLinkKey({ project_uuid, email }: { project_uuid: string; email: string }): string {
  return `${project_uuid} ${email}`.toLowerCase()
}

export const signingLinks = defineCollection('signing_links', {
  schema: SigningLink,
  key: ['id'],
  references: { project_uuid: ['projects', 'uuid'], created_by: ['users', 'uuid'] },
  indexes: { signingLinkKey },
})

/** In the order of the fixtures format. */
export const collections: readonly CollectionDefinition<TObject>[] = [
  users,
  organizations,
  organizationMembers,
  subOrganizations,
  subOrganizationMembers,
  projects,
  attachments,
  documents,
  creditHistories,
  invitations,
  signatures,
  signingLinks,
]

export type User = Static<typeof User>
export type Organization = Static<typeof Organization>
export type Document = Static<typeof Document>
export type CreditHistoryRecord = Static<typeof CreditHistoryRecord>
export type Invitation = Static<typeof Invitation>
export type Signature = Static<typeof Signature>
export type SigningLink = Static<typeof SigningLink>

/** True for the caller's own organization (I-21), and for all organizations in a sandbox without users. */
export function canAccessOrganization(
  { user, sandbox }: Pick<SandboxCaller<User>, 'user' | 'sandbox'>,
  organizationId: number,
): boolean {
  return user.organization_id === organizationId || sandbox.users.length === 0
}

export function firstUserOf({ state }: Sandbox): User | undefined {
  return state.collection(users).all()[0]
}

export function exampleProjectUuid(sandbox: Sandbox): string | undefined {
  const userUuid = firstUserOf(sandbox)?.uuid
  const all = sandbox.state.collection(projects).all()
  return all.find(({ user_uuid }) => user_uuid === userUuid)?.uuid
}

export function exampleOrganization(sandbox: Sandbox): Organization | undefined {
  const all = sandbox.state.collection(organizations).all()
  return all.find(({ id }) => id === firstUserOf(sandbox)?.organization_id) ?? all[0]
}
