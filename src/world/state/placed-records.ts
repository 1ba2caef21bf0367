import type { CollectionName } from '../../../schemas/fixtures.js'
import type { FileComplaint } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { quote } from '../../text/wording.js'
import { collectionNames, keyOf, references, uniques } from './collections.js'

/** Complaints shown at once: a wrong field in 200,000 records is one mistake. */
export const MOST_COMPLAINTS = 20

/** One record and where it came from; there may be a million of them. */
export interface Placed {
  readonly record: Readonly<Record<string, unknown>>
  readonly list: RecordList
  readonly index: number
}

/** Where the records of a collection stand in a file. */
interface RecordList {
  readonly source: SourceFile
  readonly path: readonly string[]
}

/** Records by their collections, in their order. */
export type PlacedRecords = ReadonlyMap<CollectionName, readonly Placed[]>

/** Records put over others: one with the same key takes the other's place, the rest follows. */
export function over(base: PlacedRecords, own: PlacedRecords): PlacedRecords {
  return new Map(
    collectionNames.map((name) => {
      const [before, after] = [base.get(name) ?? [], own.get(name) ?? []]
      const replacing = new Map(after.toReversed().map((one) => [keyOf(name, one.record), one]))
      const kept = before.map((one) => replacing.get(keyOf(name, one.record)) ?? one)
      const used = new Set(kept)
      return [name, [...kept, ...after.filter((one) => !used.has(one))]]
    }),
  )
}

/** Duplicate keys, and references that point nowhere. */
export async function inconsistencies(placed: PlacedRecords): Promise<FileComplaint[]> {
  const complaints: Promise<FileComplaint>[] = []
  const complain = ({ list: { source, path }, index }: Placed, field: string, message: string) => {
    if (complaints.length < MOST_COMPLAINTS) complaints.push(source.complain([...path, String(index), field], message))
  }
  const all = (name: CollectionName) => placed.get(name) ?? []

  for (const name of collectionNames) {
    for (const one of repeated(all(name), (record) => keyOf(name, record))) {
      const field = ['id', 'uuid', 'code'].find((candidate) => candidate in one.record) ?? 'id'
      complain(
        one,
        field,
        `${name} has another record with the ${field} ${quote(one.record[field])}: each must occur once.`,
      )
    }
  }
  for (const { in: name, field } of uniques) {
    for (const one of repeated(all(name), (record) => String((record as Record<string, unknown>)[field]))) {
      complain(
        one,
        field,
        `${name} has another record with the ${field} ${quote(one.record[field])}: each must occur once.`,
      )
    }
  }
  for (const { from, field, to, target } of references) {
    const known = new Set(all(to).map(({ record }) => normal(record[target])))
    for (const one of all(from)) {
      const value = one.record[field]
      if (value === undefined || known.has(normal(value))) continue
      complain(
        one,
        field,
        `'${field}' refers to a record that does not exist: no record of ${to} has the ${target} ${quote(value)}.`,
      )
    }
  }
  return Promise.all(complaints)
}

function repeated(placed: readonly Placed[], key: (record: object) => string): Placed[] {
  const seen = new Set<string>()
  return placed.filter(({ record }) => {
    const value = key(record)
    return seen.has(value) || !seen.add(value)
  })
}

function normal(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}
