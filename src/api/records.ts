import { type Static, Type } from '@sinclair/typebox'
import { Attachment, CreditHistory, Role, SubOrganizationMember } from '../../schemas/resources.js'
import { USER_TYPE } from '../../schemas/user-type.js'
import { PERMISSIONS } from '../engine/contract/contract.js'
import { closedObject, email, line, oneOf, uuid, writtenTime } from '../engine/contract/fields.js'

const User = closedObject({
  uuid: uuid(),
  token: line({ description: 'The user token that authenticates this user.' }),
  email: email(),
  first_name: line(),
  last_name: line(),
  user_type: line({ examples: [USER_TYPE] }),
  organization_id: Type.Integer(),
  permissions: Type.Array(oneOf(PERMISSIONS)),
})

const Organization = closedObject({ id: Type.Integer(), uuid: uuid(), name: line() })

const OrganizationMember = closedObject({
  id: Type.Integer(),
  organization_id: Type.Integer(),
  email: email(),
  first_name: line(),
  last_name: line(),
  role: Role,
})

const SubOrganization = closedObject({ uuid: uuid(), organization_id: Type.Integer(), name: line() })

const SubOrganizationMemberRecord = closedObject({ ...SubOrganizationMember.properties, sub_organization_uuid: uuid() })

const Project = closedObject({ uuid: uuid(), user_uuid: uuid(), name: line() })

const AttachmentRecord = closedObject({ ...Attachment.properties, project_uuid: uuid() })

const Document = closedObject({
  code: line({ description: 'The document code.' }),
  user_uuid: uuid({ description: 'The user who owns the document.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: "The PDF's sha256 in lower-case hex." }),
  status: line({ description: '`verified`, or any other word for a document that cannot be verified (I-08).' }),
})

const CreditHistoryRecord = closedObject({
  ...CreditHistory.properties,
  created_at: writtenTime({
    // They are sorted as texts.
    pattern: '(Z|^[^T]*)$',
    'x-allowed': 'an ISO 8601 time in UTC such as 2026-01-15T09:30:00.000Z, or a date such as 2026-01-15',
  }),
  received_by: Type.Optional(line({ description: 'Who received the credits.' })),
})

const INVITATION_STATUSES = ['pending', 'accepted', 'declined'] as const

const Invitation = closedObject({
  id: uuid(),
  email: email(),
  first_name: line(),
  last_name: line(),
  role: Role,
  organization_id: Type.Integer(),
  status: oneOf(INVITATION_STATUSES),
  created_at: writtenTime(),
  invited_by: Type.Optional(uuid({ description: 'The user who invites.' })),
  accepts_at: Type.Optional(writtenTime({ description: "When it is accepted automatically, by the sandbox's clock." })),
})

const Signature = closedObject({
  id: uuid(),
  user_uuid: uuid(),
  filename: Type.String(),
  media_type: Type.String({ description: 'Recognised by its content.' }),
  size: Type.Integer({ minimum: 1, description: 'Bytes.' }),
  sha256: Type.String(),
  source: Type.Optional(Type.String()),
  uuid: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  created_at: writtenTime(),
  image: Type.Optional(Type.String({ description: 'A data: URL, kept for small images so that pages can show them.' })),
})

const SigningLink = closedObject({
  id: uuid(),
  project_uuid: uuid(),
  email: email(),
  created_at: writtenTime(),
  created_by: Type.Optional(uuid({ description: 'The user who created the link.' })),
  signed_at: Type.Optional(writtenTime()),
})

/** The fixtures format: one JSON object, or one file per key. All keys are optional. */
export const Fixtures = Type.Partial(
  closedObject({
    $schema: Type.String(),
    version: Type.Literal(1),
    extends: Type.String({
      minLength: 1,
      description:
        '`default`, or the path of a file or folder: the fixtures that the records here are added to. Records with the same key replace theirs.',
    }),
    users: Type.Array(User),
    organizations: Type.Array(Organization),
    organization_members: Type.Array(OrganizationMember),
    sub_organizations: Type.Array(SubOrganization),
    sub_organization_members: Type.Array(SubOrganizationMemberRecord),
    projects: Type.Array(Project),
    attachments: Type.Array(AttachmentRecord),
    documents: Type.Array(Document),
    credit_histories: Type.Array(CreditHistoryRecord),
    invitations: Type.Array(Invitation),
    signatures: Type.Array(Signature),
    signing_links: Type.Array(SigningLink),
    counters: Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: 1e12 }), {
      description:
        'How many ids of each kind have been assigned. New ids continue from here, so that none is used twice.',
    }),
  }),
  { title: 'countersign fixtures', additionalProperties: false },
)
export type Fixtures = Static<typeof Fixtures>

export type CollectionName = Exclude<keyof Fixtures, '$schema' | 'version' | 'extends' | 'counters'>
export type RecordOf<Name extends CollectionName> = NonNullable<Fixtures[Name]>[number]

export type User = Static<typeof User>
export type Project = Static<typeof Project>
export type Invitation = Static<typeof Invitation>
