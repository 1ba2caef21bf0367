import type { CollectionName, Fixtures, RecordOf } from '../../api/records.js'

type Reference = readonly [to: CollectionName, target: string]

interface Definition<R> {
  /** The fields that together are unique. */
  readonly key: readonly (keyof R & string)[]
  /** Further fields that are unique. */
  readonly unique?: readonly (keyof R & string)[]
  /** The fields that refer to a field of other records. */
  readonly references?: { readonly [Field in keyof R & string]?: Reference }
  /** The words by which an operation looks a record up on each call. */
  readonly words?: (record: R) => readonly string[]
}

/** A member of an organization, or somebody who is invited. */
export function membership(record: { readonly organization_id: number; readonly email: string }): string {
  return `${record.organization_id} ${record.email.toLowerCase()}`
}

/** Invitations that are accepted at a time. */
export const DUE = 'due'

export function recipient(record: { readonly project_uuid: string; readonly email: string }): string {
  return `${record.project_uuid} ${record.email}`.toLowerCase()
}

const collections: { readonly [Name in CollectionName]: Definition<RecordOf<Name>> } = {
  users: {
    key: ['uuid'],
    unique: ['token'],
    references: { organization_id: ['organizations', 'id'] },
    words: ({ token }) => [token],
  },
  organizations: { key: ['id'], unique: ['uuid'], words: ({ uuid }) => [uuid.toLowerCase()] },
  organization_members: {
    key: ['id'],
    references: { organization_id: ['organizations', 'id'] },
    words: (member) => [membership(member)],
  },
  sub_organizations: { key: ['uuid'], references: { organization_id: ['organizations', 'id'] } },
  sub_organization_members: {
    key: ['sub_organization_uuid', 'id'],
    references: { sub_organization_uuid: ['sub_organizations', 'uuid'] },
  },
  projects: {
    key: ['uuid'],
    references: { user_uuid: ['users', 'uuid'] },
    words: ({ user_uuid }) => [user_uuid.toLowerCase()],
  },
  attachments: {
    key: ['id'],
    references: { project_uuid: ['projects', 'uuid'] },
    words: ({ project_uuid }) => [project_uuid.toLowerCase()],
  },
  documents: { key: ['code'], references: { user_uuid: ['users', 'uuid'] }, words: ({ sha256 }) => [sha256] },
  credit_histories: { key: ['id'], references: { organization_uuid: ['organizations', 'uuid'] } },
  invitations: {
    key: ['id'],
    references: { organization_id: ['organizations', 'id'], invited_by: ['users', 'uuid'] },
    words: (one) => [membership(one), ...(one.accepts_at === undefined ? [] : [DUE])],
  },
  signatures: {
    key: ['id'],
    references: { user_uuid: ['users', 'uuid'] },
    words: (one) => (hasImage(one) ? [one.user_uuid.toLowerCase()] : []),
  },
  signing_links: {
    key: ['id'],
    references: { project_uuid: ['projects', 'uuid'], created_by: ['users', 'uuid'] },
    words: (link) => [recipient(link)],
  },
}

/** Does not read an image that is written when it is read, and so is no field. */
function hasImage(one: RecordOf<'signatures'>): boolean {
  return Object.hasOwn(one, 'image') ? one.image !== undefined : 'image' in one
}

export const collectionNames = Object.keys(collections) as CollectionName[]

export const references = collectionNames.flatMap((from) =>
  Object.entries<Reference>(collections[from].references ?? {}).map(([field, [to, target]]) => ({
    from,
    field,
    to,
    target,
  })),
)

export const uniques = collectionNames.flatMap((name) =>
  (collections[name].unique ?? []).map((field) => ({ in: name, field })),
)

/** A field's value, to be compared with others: UUIDs may be in any letter case. A pattern would take most of a look-up's time. */
export function normalizeKey(value: unknown): string {
  const text = String(value)
  return text.length === 36 && text[8] === '-' && text[23] === '-' ? text.toLowerCase() : text
}

/** The words of a record by which it is looked up. */
export function wordsOf(name: CollectionName, record: object): readonly string[] {
  return (collections[name] as Definition<object>).words?.(record) ?? []
}

/** Such as `UUID/ID`. */
export function keyOf(name: CollectionName, record: object): string {
  const values = record as Readonly<Record<string, unknown>>
  return collections[name].key.map((field) => normalizeKey(values[field])).join('/')
}

/** Fixtures with lists and counters of their own; the records, which are frozen, are shared. */
export function copyOf(fixtures: Fixtures): Fixtures {
  const lists = collectionNames.map((name) => [name, [...(fixtures[name] ?? [])]])
  return { version: 1, ...Object.fromEntries(lists), counters: { ...fixtures.counters } }
}

/** Records put over others: one with the same key takes the other's place, new ones follow. */
export function mergeFixtures(base: Fixtures, own: Fixtures): Fixtures {
  const lists = collectionNames.map((name) => {
    const all: readonly object[] = [...(base[name] ?? []), ...(own[name] ?? [])]
    return [name, [...new Map(all.map((one) => [keyOf(name, one), one])).values()]]
  })
  return { version: 1, ...Object.fromEntries(lists), counters: maxCounters(base, own) }
}

/** So that no id is given out again. */
export function maxCounters({ counters = {} }: Fixtures, other: Fixtures): Record<string, number> {
  const all = { ...counters, ...other.counters }
  return Object.fromEntries(
    Object.keys(all).map((name) => [name, Math.max(counters[name] ?? 0, other.counters?.[name] ?? 0)]),
  )
}

export function countRecords(fixtures: Fixtures): number {
  return collectionNames.reduce((sum, name) => sum + (fixtures[name]?.length ?? 0), 0)
}
