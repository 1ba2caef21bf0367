import type { StateRecord } from '../../shapes.js'

/** What no other record of its collection has. */
export function keyOf(collection: string, { id, uuid, code, sub_organization_uuid }: StateRecord): string {
  const key = String(id ?? uuid ?? code)
  return collection === 'sub_organization_members' ? `${sub_organization_uuid}/${key}` : key
}
