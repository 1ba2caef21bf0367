import { base, en, Faker } from '@faker-js/faker'

export type { Faker }

/** A generator of its own, that follows from the seed and from the time before which all dates are drawn. */
export function fakerFrom(seed: number, until: Date): Faker {
  const faker = new Faker({ locale: [en, base], seed })
  faker.setDefaultRefDate(until)
  return faker
}
