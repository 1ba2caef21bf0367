import { type Static, Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { oneOf, utcTime, uuid } from '../src/engine/contract/fields.js'

export const ROLES = ['Admin', 'Member'] as const
export const Role = oneOf(ROLES, { description: 'Role of the member.', examples: ['Member'] })
export type Role = Static<typeof Role>

export const SubOrganizationMember = cited(
  ['S2.8'],
  Type.Object({
    id: cited(['S2.8'], Type.Integer({ description: 'Member identifier.' })),
    first_name: cited(['S2.8'], Type.String()),
    last_name: cited(['S2.8'], Type.String()),
    role: cited(['S2.8'], Role, { enum: ['S2.5'] }),
  }),
)

/** `document` in the answer of verifyDocument. */
export const VerifiedDocument = cited(
  ['S3.6'],
  Type.Object({
    code: cited(['S3.6'], Type.String({ description: 'The document code.' })),
    user_uuid: cited(['S3.6'], Type.String({ description: 'The user UUID.' })),
    verified_at: cited(['S3.6', 'I-22'], utcTime({ description: 'ISO 8601 UTC timestamp.' }), {
      format: ['S0.6'],
      pattern: ['S0.6'],
    }),
  }),
)

const attachment = {
  integer: () => cited(['S4.7'], Type.Integer()),
  text: (description?: string) => cited(['S4.7'], Type.String(description === undefined ? {} : { description })),
}

export const Attachment = cited(
  ['S4.7'],
  Type.Object({
    id: attachment.integer(),
    project_uuid: attachment.text(),
    reference_number: attachment.text(),
    type: attachment.text('A document kind label.'),
    category: attachment.text(),
    status: cited(['S4.7', 'S4.8'], Type.String({ description: 'The API document shows only `protected`.' })),
    name: attachment.text(),
    file_name: attachment.text(),
    project_file_id: attachment.integer(),
    storage: attachment.text('Storage kind label.'),
    path: attachment.text(),
    dna: attachment.text('Unique fingerprint string of the document.'),
    project_file_meta: cited(
      ['S4.7', 'S4.9'],
      Type.String({ format: 'json', description: 'Serialized JSON metadata.', 'x-allowed': 'JSON as text' }),
      { format: ['S4.9'] },
    ),
    blockchain_id: attachment.integer(),
    blockchain_uuid: attachment.text(),
    event: attachment.text('Kind of the recorded event.'),
    network: attachment.text('Label of the ledger network.'),
  }),
)
export type Attachment = Static<typeof Attachment>

export const CreditHistory = cited(
  ['S5.8'],
  Type.Object({
    id: cited(['S5.8', 'S5.9'], uuid({ description: 'Record identifier.' }), { format: ['S5.9'] }),
    organization_uuid: cited(['S5.8'], uuid({ description: 'UUID of the organization.' }), { format: ['S5.8'] }),
    type: cited(
      ['S5.8', 'S5.10'],
      Type.String({ description: 'The API document shows only `purchase`; the other spellings are assumed (I-06).' }),
    ),
    amount: cited(['S5.8'], Type.Number()),
    currency: cited(['S5.8', 'S5.9'], Type.String({ description: 'Currency code.' })),
    created_at: cited(['S5.8', 'I-22'], utcTime({ description: 'ISO 8601 UTC timestamp.' }), {
      format: ['S0.6'],
      pattern: ['S0.6'],
    }),
    user_type: cited(['S5.8'], Type.String({ description: 'E.g. `ENTERPRISE_API`.' })),
    details: cited(
      ['S5.8'],
      Type.Object({ source: cited(['S5.8'], Type.String()), note: cited(['S5.8'], Type.String()) }),
    ),
  }),
)
export type CreditHistory = Static<typeof CreditHistory>
