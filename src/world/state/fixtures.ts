import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type CollectionName, Fixtures } from '../../../schemas/fixtures.js'
import { type FileComplaint, fileErrorReason, InvalidFiles } from '../../text/invalid-files.js'
import { readSource, type SourceFile } from '../../text/source-file.js'
import { quote } from '../../text/wording.js'
import { checkOf } from '../../validation/check.js'
import { describeDeparture, distinctDepartures, locateDeparture } from '../../validation/explain.js'
import { collectionNames, keyOf, references, uniques } from './collections.js'

const DATA_FILES = new Set(['.json', '.yaml', '.yml'])
/** Complaints shown at once: a wrong field in 200,000 records is one mistake. */
const MOST_COMPLAINTS = 20

/** One record and where it came from. */
interface Placed {
  readonly record: Readonly<Record<string, unknown>>
  readonly source: SourceFile
  readonly path: readonly (string | number)[]
}

/**
 * Reads fixtures from a file, or from a folder with one file per key.
 * @throws {InvalidFiles} naming file, place and reason of all that is wrong
 */
export async function readFixtures(path: string): Promise<Fixtures> {
  const sources = await Promise.all((await filesOf(path)).map(readSource))
  const complaints: FileComplaint[] = []
  const placed = new Map<CollectionName, Placed[]>()
  for (const source of sources) {
    const data = keyed(source)
    const departures = distinctDepartures(checkOf(Fixtures)(data)).slice(0, MOST_COMPLAINTS)
    for (const one of departures)
      complaints.push(await locateDeparture(source, { ...one, path: inFile(source, one.path) }))
    if (departures.length === 0) collect(placed, source, data as Fixtures)
  }
  if (complaints.length === 0) complaints.push(...(await inconsistencies(placed)))
  if (complaints.length > 0) throw new InvalidFiles(complaints.slice(0, MOST_COMPLAINTS))
  return Object.fromEntries(
    Array.from(placed, ([name, records]) => [name, records.map(({ record }) => record)]),
  ) as Fixtures
}

/**
 * Checks fixtures that are no file.
 * @throws {InvalidFiles} naming place and reason of all that is wrong; the file is `name`
 */
export async function checkFixtures(data: unknown, name: string): Promise<Fixtures> {
  const complain: SourceFile['complain'] = async (path, message) => ({
    file: name,
    message: `${path.join('.')}: ${message}`,
  })
  const complaints: FileComplaint[] = distinctDepartures(checkOf(Fixtures)(data)).map((one) => ({
    file: name,
    message: describeDeparture(one),
  }))
  if (complaints.length === 0) {
    const placed = new Map<CollectionName, Placed[]>()
    collect(placed, { file: name, data, complain }, data as Fixtures)
    complaints.push(...(await inconsistencies(placed)))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints.slice(0, MOST_COMPLAINTS))
  return data as Fixtures
}

async function filesOf(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    // Links too, as Kubernetes mounts files; what is no file is told when it is read.
    const files = (await readdir(path))
      .filter((name) => DATA_FILES.has(extname(name)) && !name.startsWith('.'))
      .map((name) => join(path, name))
      .sort()
    if (files.length > 0) return files
  } catch (error) {
    throw new InvalidFiles([{ file: path, message: `The fixtures cannot be read: ${fileErrorReason(error)}.` }])
  }
  throw new InvalidFiles([
    {
      file: path,
      message: `The folder holds no fixtures: put files such as users.json there, one per key (${collectionNames.join(', ')}).`,
    },
  ])
}

/** The name of a file that is a bare list says which collection it holds. */
function keyed({ file, data }: SourceFile): unknown {
  return Array.isArray(data) ? { [basename(file, extname(file))]: data } : data
}

function inFile({ data }: SourceFile, path: readonly string[]): readonly string[] {
  return Array.isArray(data) ? path.slice(1) : path
}

function collect(placed: Map<CollectionName, Placed[]>, source: SourceFile, data: Fixtures): void {
  for (const name of collectionNames) {
    const records = (data[name] ?? []) as readonly Readonly<Record<string, unknown>>[]
    const known = placed.get(name) ?? []
    for (const [index, record] of records.entries())
      known.push({ record, source, path: inFile(source, [name, String(index)]) })
    placed.set(name, known)
  }
}

/** Duplicate keys, and references that point nowhere. */
async function inconsistencies(placed: ReadonlyMap<CollectionName, readonly Placed[]>): Promise<FileComplaint[]> {
  const complaints: Promise<FileComplaint>[] = []
  const complain = ({ source, path }: Placed, field: string, message: string) => {
    if (complaints.length < MOST_COMPLAINTS) complaints.push(source.complain([...path, field], message))
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
