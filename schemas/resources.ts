import { type Static, Type } from '@sinclair/typebox'
import { dateTime, line, oneOf, uuid } from './common.js'

export const ROLES = ['Admin', 'Member'] as const
export const Role = oneOf(ROLES, { description: 'Role of the member.', examples: ['Member'] })
export type Role = Static<typeof Role>

/** The document's "Sub-organization member". */
export const SubOrganizationMember = Type.Object({
  id: Type.Integer({ description: 'Member identifier.' }),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Role,
})

/** The document's "Document verification result", its inner object. */
export const VerifiedDocument = Type.Object({
  code: Type.String({ description: 'The document code.' }),
  user_uuid: Type.String({ description: 'The user UUID.' }),
  verified_at: dateTime({ description: 'ISO 8601 UTC timestamp.' }),
})

/** The document's "Protected attachment". */
export const Attachment = Type.Object({
  id: Type.Integer(),
  project_uuid: Type.String(),
  reference_number: Type.String(),
  type: Type.String({ description: 'A document kind label.' }),
  category: Type.String(),
  status: Type.String({ description: 'The value `protected` occurs.' }),
  name: Type.String(),
  file_name: Type.String(),
  project_file_id: Type.Integer(),
  storage: Type.String({ description: 'Storage kind label.' }),
  path: Type.String(),
  dna: Type.String({ description: 'Unique fingerprint string of the document.' }),
  project_file_meta: Type.String({ description: 'Serialized JSON metadata.' }),
  blockchain_id: Type.Integer(),
  blockchain_uuid: Type.String(),
  event: Type.String({ description: 'Label of the recorded event kind.' }),
  network: Type.String({ description: 'Label of the ledger network.' }),
})
export type Attachment = Static<typeof Attachment>

/** The document's "Credit history record". */
export const CreditHistory = Type.Object({
  id: uuid({ description: 'Record identifier.' }),
  organization_uuid: uuid({ description: 'UUID of the organization.' }),
  type: line({ description: '`purchase` occurs; the other spellings are assumed (I-06).' }),
  amount: Type.Number(),
  currency: line({ description: 'Currency code.' }),
  created_at: dateTime({ description: 'ISO 8601 UTC timestamp.' }),
  user_type: line({ description: 'E.g. `ENTERPRISE_API`.' }),
  details: Type.Object({ source: Type.String(), note: Type.String() }),
})
export type CreditHistory = Static<typeof CreditHistory>
