import type { CollectionName } from '../../../schemas/fixtures.js'
import type { Complaint, ComplaintCode } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { quote } from '../../text/wording.js'
import { collectionNames, keyOf, lookedUpBy, references, uniques } from './collections.js'

/** Complaints shown at once: a wrong field in every record is one mistake. */
export const MOST_COMPLAINTS = 20

/** One record and where it came from. */
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

/** What is wrong with a record, and in which of its fields. */
interface Flaw {
  readonly code: ComplaintCode
  readonly one: Placed
  readonly field: string
  readonly message: string
}

/** Duplicate keys, and references to records that do not exist; records that were wrong `before` are passed over. */
export function inconsistencies(placed: PlacedRecords, before: PlacedRecords = new Map()): Promise<Complaint[]> {
  const known = new Set(Array.from(flawsOf(before), ({ one }) => one))
  return complaintsOf(Array.from(flawsOf(placed)).filter(({ one }) => !known.has(one)))
}

function* flawsOf(placed: PlacedRecords): Iterable<Flaw> {
  yield* repetitions(placed)
  yield* danglingReferences(placed)
}

function complaintsOf(flaws: readonly Flaw[]): Promise<Complaint[]> {
  const shown = flaws.slice(0, MOST_COMPLAINTS).map(({ code, one: { list, index }, field, message }) => {
    return list.source.complain(code, [...list.path, String(index), field], message)
  })
  return Promise.all(shown)
}

function* repetitions(placed: PlacedRecords): Iterable<Flaw> {
  for (const name of collectionNames) {
    for (const one of repeated(placed.get(name) ?? [], (record) => keyOf(name, record))) {
      yield repetition(name, one, ['id', 'uuid', 'code'].find((field) => field in one.record) ?? 'id')
    }
  }
  for (const { in: name, field } of uniques) {
    const value = (record: object) => lookedUpBy(name, field, record) ?? ''
    for (const one of repeated(placed.get(name) ?? [], value)) yield repetition(name, one, field)
  }
}

function repetition(name: CollectionName, one: Placed, field: string): Flaw {
  const message = `${name} has another record with the ${field} ${quote(one.record[field])}: each must be unique.`
  return { code: 'duplicate', one, field, message }
}

function* danglingReferences(placed: PlacedRecords): Iterable<Flaw> {
  for (const { from, field, to, target } of references) {
    const referring = placed.get(from) ?? []
    if (referring.length === 0) continue
    const known = new Set((placed.get(to) ?? []).map(({ record }) => normal(record[target])))
    for (const one of referring) {
      const value = one.record[field]
      if (value === undefined || known.has(normal(value))) continue
      const message = `'${field}' refers to a record that does not exist: no record of ${to} has the ${target} ${quote(value)}.`
      yield { code: 'reference', one, field, message }
    }
  }
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
