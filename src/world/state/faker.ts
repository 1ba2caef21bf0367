import { base, en, Faker } from '@faker-js/faker'

export type { Faker }

/** Dates are drawn before this one, so that the same seed gives the same bytes on any day. */
const REFERENCE_DATE = '2026-01-15T00:00:00.000Z'

/** A generator of its own, that follows from the seed alone. */
export function fakerFrom(seed: number): Faker {
  const faker = new Faker({ locale: [en, base], seed })
  faker.setDefaultRefDate(REFERENCE_DATE)
  return faker
}
