import { hash } from 'node:crypto'
import type { Faker } from '@faker-js/faker'
import type { Static } from '@sinclair/typebox'
import { USER_TYPE } from '../../schemas/conventions.js'
import { ROLES } from '../../schemas/resources.js'
import type { BulkGenerator } from '../engine/api.js'
import { type CollectionDefinition, type Fixtures, recordsOf } from '../engine/files/collections.js'
import {
  attachments,
  type CreditHistoryRecord,
  creditHistories,
  documents,
  organizationMembers,
  organizations,
  projects,
  subOrganizationMembers,
  subOrganizations,
  users,
} from './records.js'

/** Higher than the ids of the default fixtures. */
const FIRST_ID = 100_000

export const bulkGenerators: readonly BulkGenerator[] = [
  {
    flag: 'credits',
    label: 'credit histories',
    collection: creditHistories,
    make: (faker, _, fixtures): CreditHistoryRecord => ({
      id: faker.string.uuid(),
      organization_uuid: ownerIn(fixtures, organizations, faker).uuid,
      type: faker.helpers.arrayElement(['purchase', 'allocation', 'return', 'free_credit']),
      amount: faker.number.int({ min: 1, max: 5_000 }),
      currency: faker.helpers.arrayElement(['EUR', 'USD', 'GBP', 'CHF']),
      created_at: (faker.datatype.boolean(0.2)
        ? faker.date.recent({ days: 30 })
        : faker.date.past({ years: 5 })
      ).toISOString(),
      user_type: faker.datatype.boolean(0.9) ? USER_TYPE : 'ENTERPRISE',
      details: {
        source: faker.helpers.arrayElement(['invoice', 'card', 'voucher', 'transfer']),
        note: faker.commerce.productName(),
      },
      received_by: faker.person.fullName(),
    }),
  },
  {
    flag: 'attachments',
    label: 'attachments',
    collection: attachments,
    make: (faker, nth, fixtures) => {
      const name = faker.commerce.productName()
      const file_name = `${faker.helpers.slugify(name).toLowerCase()}-${nth}.pdf`
      const project_uuid = ownerIn(fixtures, projects, faker).uuid
      return {
        id: FIRST_ID + nth,
        project_uuid,
        reference_number: `REF-${faker.string.alphanumeric({ length: 8, casing: 'upper' })}-${nth}`,
        type: faker.helpers.arrayElement(['contract', 'invoice', 'report', 'certificate']),
        category: faker.commerce.department(),
        status: 'protected',
        name,
        file_name,
        project_file_id: FIRST_ID + nth,
        storage: 'vault',
        path: `projects/${project_uuid}/${file_name}`,
        dna: faker.string.hexadecimal({ length: 64, casing: 'lower', prefix: '' }),
        project_file_meta: JSON.stringify({ pages: faker.number.int({ min: 1, max: 90 }) }),
        blockchain_id: FIRST_ID + nth,
        blockchain_uuid: faker.string.uuid(),
        event: 'document_protected',
        network: 'testnet',
      }
    },
  },
  {
    flag: 'members',
    label: 'organization members',
    collection: organizationMembers,
    make: (faker, nth, fixtures) => ({
      id: FIRST_ID + nth,
      organization_id: ownerIn(fixtures, organizations, faker).id,
      email: `member.${nth}@example.test`,
      ...person(faker),
    }),
  },
  {
    flag: 'subMembers',
    label: 'sub-organization members',
    collection: subOrganizationMembers,
    make: (faker, nth, fixtures) => ({
      id: FIRST_ID + nth,
      sub_organization_uuid: ownerIn(fixtures, subOrganizations, faker).uuid,
      ...person(faker),
    }),
  },
  {
    flag: 'documents',
    label: 'documents',
    collection: documents,
    make: (faker, nth, fixtures) => ({
      code: `DOC-GEN-${nth}`,
      user_uuid: ownerIn(fixtures, users, faker).uuid,
      sha256: hash('sha256', `generated ${nth}`),
      status: 'verified',
    }),
  },
]

function person(faker: Faker) {
  return {
    first_name: faker.person.firstName(),
    last_name: faker.person.lastName(),
    role: faker.helpers.arrayElement(ROLES),
  }
}

/** Picks the first owner for nine of ten records, so that this owner has many. */
function ownerIn<S extends CollectionDefinition['schema']>(
  fixtures: Fixtures,
  { name }: CollectionDefinition<S>,
  faker: Faker,
): Static<S> {
  const all = recordsOf(fixtures, name) as readonly Static<S>[]
  return faker.datatype.boolean(0.9) || all.length === 1
    ? (all[0] as Static<S>)
    : faker.helpers.arrayElement(all.slice(1))
}
