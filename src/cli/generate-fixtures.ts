import { hash } from 'node:crypto'
import { base, en, Faker } from '@faker-js/faker'
import { ROLES } from '../../schemas/resources.js'
import type { CollectionName, Fixtures, RecordOf } from '../api/records.js'

/** Ids of generated records begin here, beyond those of the default fixtures. */
const FIRST_ID = 100_000

const generators = {
  credit_histories: (faker, _, { organizations }) => ({
    id: faker.string.uuid(),
    organization_uuid: most(faker, organizations).uuid,
    type: faker.helpers.arrayElement(['purchase', 'allocation', 'return', 'free_credit']),
    amount: faker.number.int({ min: 1, max: 5_000 }),
    currency: faker.helpers.arrayElement(['EUR', 'USD', 'GBP', 'CHF']),
    created_at: (faker.datatype.boolean(0.2)
      ? faker.date.recent({ days: 30 })
      : faker.date.past({ years: 5 })
    ).toISOString(),
    user_type: faker.datatype.boolean(0.9) ? 'ENTERPRISE_API' : 'ENTERPRISE',
    details: {
      source: faker.helpers.arrayElement(['invoice', 'card', 'voucher', 'transfer']),
      note: faker.commerce.productName(),
    },
    received_by: faker.person.fullName(),
  }),
  attachments: (faker, nth, { projects }) => {
    const name = faker.commerce.productName()
    const file_name = `${faker.helpers.slugify(name).toLowerCase()}-${nth}.pdf`
    const project_uuid = most(faker, projects).uuid
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
  organization_members: (faker, nth, { organizations }) => ({
    id: FIRST_ID + nth,
    organization_id: most(faker, organizations).id,
    email: `member.${nth}@example.test`,
    ...person(faker),
  }),
  sub_organization_members: (faker, nth, { sub_organizations }) => ({
    id: FIRST_ID + nth,
    sub_organization_uuid: most(faker, sub_organizations).uuid,
    ...person(faker),
  }),
  documents: (faker, nth, { users }) => ({
    code: `DOC-GEN-${nth}`,
    user_uuid: most(faker, users).uuid,
    sha256: hash('sha256', `generated ${nth}`),
    status: 'verified',
  }),
} satisfies { readonly [Name in CollectionName]?: Make<Name> }

export type Generated = keyof typeof generators

type Make<Name extends CollectionName> = (faker: Faker, nth: number, fixtures: Fixtures) => RecordOf<Name>

export function* generate(name: Generated, count: number, faker: Faker, fixtures: Fixtures): Generator<object> {
  for (let nth = 1; nth <= count; nth++) yield generators[name](faker, nth, fixtures)
}

function person(faker: Faker) {
  return {
    first_name: faker.person.firstName(),
    last_name: faker.person.lastName(),
    role: faker.helpers.arrayElement(ROLES),
  }
}

/** Nine of ten records belong to the first owner: growth needs a big one. */
function most<T>(faker: Faker, all: readonly T[] = []): T {
  return faker.datatype.boolean(0.9) || all.length === 1 ? (all[0] as T) : faker.helpers.arrayElement(all.slice(1))
}

/** The same seed and time give the same records; all dates are before the time. */
export function fakerFrom(seed: number, until: Date): Faker {
  const faker = new Faker({ locale: [en, base], seed })
  faker.setDefaultRefDate(until)
  return faker
}
