import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { type CollectionName, Fixtures } from '../../../schemas/fixtures.js'
import { defaultFixtures } from '../../package-root.js'
import { type Complaint, collectComplaints, UnusableFiles, unreadable } from '../../text/invalid-files.js'
import { readSource, type SourceFile, sourceOf } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { checkOf } from '../../validation/check.js'
import { distinctDepartures, locateDeparture } from '../../validation/explain.js'
import { collectionNames } from './collections.js'
import { highest } from './lists.js'
import { inconsistencies, MOST_COMPLAINTS, over, type Placed, type PlacedRecords } from './placed-records.js'

/**
 * Reads fixtures from a file, or from a folder with one file per key; `files` takes the names of all that is read.
 * @throws {InvalidFiles} naming file, place and reason of all that is wrong
 */
export async function readFixtures(path: string, files: string[] = []): Promise<Fixtures> {
  const read: Read = { files, counters: {} }
  return { ...(await consistent(await readPlaced(path, read, []))), ...countersOf(read) }
}

/** What is gathered while files are read: their names, and how far their counters got. */
interface Read {
  readonly files: string[]
  counters: Record<string, number>
}

function countersOf({ counters }: Read): Pick<Fixtures, 'counters'> {
  return Object.keys(counters).length === 0 ? {} : { counters }
}

/**
 * Checks fixtures that are no file's; they may extend the default world.
 * @throws {InvalidFiles} naming place and reason of all that is wrong
 */
export async function checkFixtures(source: SourceFile): Promise<Fixtures> {
  const data = await objectOf(source)
  const own = await placedIn([source])
  const { extends: base, counters = {} } = data as Fixtures
  if (base === undefined) {
    await consistent(own)
    return data
  }
  if (base !== DEFAULT) throw await refused(source, `'extends' must be '${DEFAULT}' here, not ${quote(base)}.`)
  const read: Read = { files: [], counters }
  const records = over(await readPlaced(defaultFixtures, read, []), own)
  return { ...(await consistent(records)), ...countersOf(read) }
}

/**
 * Checks records that are to be put over others, and returns them.
 * @throws {InvalidFiles} naming place and reason of all that is wrong
 */
export async function checkPatch(before: Fixtures, source: SourceFile): Promise<Fixtures> {
  const data = await objectOf(source)
  const own = await placedIn([source])
  if (data.extends !== undefined) throw await refused(source, 'A patch always extends the state: leave it out.')
  const known = await placedIn([sourceOf('state', before)])
  // What is wrong already, no patch can help: it may be what repairs it.
  await consistent(over(known, own), known)
  return recordsOf(own)
}

/** @throws {InvalidFiles} for a list, which only a file's name could say the collection of */
async function objectOf(source: SourceFile): Promise<Fixtures> {
  if (!Array.isArray(source.data)) return source.data as Fixtures
  throw new UnusableFiles([await source.complain('schema', [], 'The content must be an object, not a list.')])
}

/** What `extends` calls the default world. */
const DEFAULT = 'default'

async function refused(source: SourceFile, message: string): Promise<UnusableFiles> {
  return new UnusableFiles([await source.complain('reference', ['extends'], message)])
}

/** @throws {InvalidFiles} where records contradict each other, and did not `before` */
async function consistent(records: PlacedRecords, before?: PlacedRecords): Promise<Fixtures> {
  const complaints = await inconsistencies(records, before)
  if (complaints.length > 0) throw new UnusableFiles(complaints)
  return recordsOf(records)
}

function recordsOf(records: PlacedRecords): Fixtures {
  return Object.fromEntries(Array.from(records, ([name, all]) => [name, all.map(({ record }) => record)])) as Fixtures
}

/** The records of a file or a folder, over those that it extends; `above` are those that extend it. */
async function readPlaced(path: string, read: Read, above: readonly string[]): Promise<PlacedRecords> {
  const names = await filesOf(path)
  read.files.push(...names)
  const complaints: Complaint[][] = names.map(() => [])
  const found = await Promise.all(names.map((name, at) => collectComplaints(complaints[at]!, () => readSource(name))))
  const sources = found.filter((one) => one !== undefined)
  const own = await placedIn(sources, complaints.flat())
  let base: PlacedRecords = new Map()
  for (const source of sources) {
    const data = keyed(source) as Fixtures
    const { extends: name } = data
    read.counters = highest(read, data)
    if (name === undefined) continue
    const other = name === DEFAULT ? defaultFixtures : resolve(dirname(source.file), name)
    if (!existsSync(other)) {
      read.files.push(other)
      throw await refused(source, `'extends' names ${quote(name)}, which does not exist.`)
    }
    const chain = [...above, path, source.file]
    if (chain.includes(other))
      throw await refused(source, `'extends' forms a circle: ${quote(name)} extends this file.`)
    base = over(base, await readPlaced(other, read, chain))
  }
  return base.size === 0 ? own : over(base, own)
}

const DATA_FILES = new Set(['.json', '.yaml', '.yml'])

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
    throw unreadable(path, error, 'fixtures')
  }
  throw new UnusableFiles([
    {
      code: 'schema',
      file: path,
      message: `The folder contains no fixtures: add files such as users.json, one per key (${collectionNames.join(', ')}).`,
    },
  ])
}

/**
 * The records of some sources, each where it stands.
 * @throws {InvalidFiles} for what is not in the fixtures format, with other complaints
 */
async function placedIn(sources: readonly SourceFile[], others: readonly Complaint[] = []): Promise<PlacedRecords> {
  const complaints = [...others]
  const placed = new Map<CollectionName, Placed[]>()
  for (const source of sources) {
    const data = keyed(source)
    if (data === undefined) {
      complaints.push(await source.complain('schema', [], listOfNothing(source)))
      continue
    }
    const departures = distinctDepartures(checkOf(Fixtures)(data)).slice(0, MOST_COMPLAINTS)
    for (const one of departures)
      complaints.push(await locateDeparture(source, { ...one, path: inFile(source, one.path) }))
    if (departures.length === 0) collect(placed, source, data as Fixtures)
  }
  if (complaints.length > 0) throw new UnusableFiles(complaints.slice(0, MOST_COMPLAINTS))
  return placed
}

/** The name of a file that is a bare list says which collection it holds; undefined where it names none. */
function keyed({ file, data }: SourceFile): unknown {
  if (!Array.isArray(data) || !DATA_FILES.has(extname(file))) return data
  const name = collectionNames.find((one) => one === collectionOf(file))
  return name && { [name]: data }
}

function collectionOf(file: string): string {
  return basename(file, extname(file))
}

function listOfNothing({ file }: SourceFile): string {
  const name = collectionOf(file)
  const hint = didYouMean(name, collectionNames)
  return `The content is a list, and the file's name ${quote(name)} does not say of what.${hint} Collections: ${collectionNames.join(', ')}.`
}

function inFile({ data }: SourceFile, path: readonly string[]): readonly string[] {
  return Array.isArray(data) ? path.slice(1) : path
}

function collect(placed: Map<CollectionName, Placed[]>, source: SourceFile, data: Fixtures): void {
  for (const name of collectionNames) {
    const records = (data[name] ?? []) as readonly Readonly<Record<string, unknown>>[]
    const list = { source, path: inFile(source, [name]) }
    const known = placed.get(name) ?? []
    for (const [index, record] of records.entries()) known.push({ record, list, index })
    placed.set(name, known)
  }
}
