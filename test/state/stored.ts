import { readFile } from 'node:fs/promises'
import type { Fixtures } from '../../schemas/fixtures.js'

/** The organization of an id. */
export const organization = (id: number) => ({
  id,
  uuid: `0d5b8f3e-7a61-4c29-9e84-${String(id).padStart(12, '0')}`,
  name: 'One',
})

/** A user with that token, in the organization of that id. */
export const user = (token: string, organization_id = 1) => ({
  uuid: '8e2f6a1c-4b9d-4d37-a5c8-1f7e3b6d9a40',
  token,
  email: 'ada@example.test',
  first_name: 'Ada',
  last_name: 'Admin',
  user_type: 'ENTERPRISE_API',
  organization_id,
  permissions: [],
})

/** What a state file says. */
export async function written(path: string): Promise<Fixtures> {
  return JSON.parse(await readFile(path, 'utf8'))
}
