import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { isObject } from '../contract/json.js'
import { didYouMean, quote } from '../contract/wording.js'
import { type Fixtures, type FixturesFormat, keyOf, mergeFixtures, normalizeKey, recordsOf } from './collections.js'
import { type RecordPlaces, requireConsistent, requireUniqueKeys } from './consistency.js'
import { collectComplaints, type FileComplaint, InvalidFiles, MOST_COMPLAINTS, unreadable } from './invalid-files.js'
import { dataFilesIn, invalidAt, readSource, type SourceFile, sourceOf } from './source-file.js'
import { validateSource } from './validate-source.js'

/**
 * Reads fixtures from a file, or from a folder with one file per key; `files` gets the names of all files.
 * @throws {InvalidFiles} with every complaint and its place
 */
export async function readFixtures(format: FixturesFormat, path: string, files: string[] = []): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const fixtures = await readFrom(format, path, files, places, [])
  await requireConsistent(fixtures, format.collections, places)
  return fixtures
}

/** Checks fixtures that are not from a file. @throws {InvalidFiles} */
export async function checkFixtures(format: FixturesFormat, source: SourceFile): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const own = await recordsIn(format, [source], places)
  const { extends: base } = source.data as Fixtures
  if (base !== undefined && base !== DEFAULT)
    throw await invalidAt(source, ['extends'], `'extends' must be '${DEFAULT}' here, not ${quote(base)}.`)
  const fixtures = mergeFixtures(await baseOf(format, source, [], places, []), own, format.collections)
  await requireConsistent(fixtures, format.collections, places)
  return fixtures
}

/** Checks a patch, and returns its records as they will be. @throws {InvalidFiles} */
export async function checkPatch(format: FixturesFormat, before: Fixtures, source: SourceFile): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const { collections } = format
  const own = await recordsIn(format, [{ ...source, data: mergedInto(before, source.data, collections) }], places)
  const { extends: base, without } = source.data as Fixtures
  if ((base ?? without) !== undefined)
    throw await invalidAt(source, ['extends'], "A patch always extends the state: remove 'extends' and 'without'.")
  await requireConsistent(mergeFixtures(before, own, collections), collections, places, before)
  return own
}

/** Puts the fields of each record over those of the record with its key; null removes one. */
function mergedInto(before: Fixtures, data: unknown, collections: FixturesFormat['collections']): unknown {
  if (!isObject(data)) return data
  const lists = collections.flatMap((collection) => {
    const records = data[collection.name]
    if (!Array.isArray(records)) return []
    const old = new Map(recordsOf(before, collection.name).map((one) => [keyOf(collection, one), one]))
    const merge = (record: unknown) => {
      const known = isObject(record) ? old.get(keyOf(collection, record)) : undefined
      if (known === undefined) return record
      // Some fields are there only when a record is written as JSON.
      const fields = Object.entries({ ...JSON.parse(JSON.stringify(known)), ...Object(record) })
      const isKnown = (name: string) => Object.hasOwn(collection.schema.properties, name)
      return Object.fromEntries(fields.filter(([name, value]) => value !== null || !isKnown(name)))
    }
    return [[collection.name, records.map(merge)] as const]
  })
  return { ...data, ...Object.fromEntries(lists) }
}

const DEFAULT = 'default'

/** `above` are the files that extend this one. */
async function readFrom(
  format: FixturesFormat,
  path: string,
  files: string[],
  places: RecordPlaces,
  above: readonly string[],
): Promise<Fixtures> {
  const names = await filesOf(format, path)
  files.push(...names)
  const complaints: FileComplaint[] = []
  const sources: SourceFile[] = []
  for (const name of names) {
    const source = await collectComplaints(complaints, async () => keyed(format, await sourceAt(format, name)))
    if (source !== undefined) sources.push(source)
  }
  const own = await recordsIn(format, sources, places, complaints)
  let base: Fixtures = {}
  for (const source of sources) {
    const extended = await baseOf(format, source, files, places, [...above, path, source.file])
    base = mergeFixtures(base, extended, format.collections)
  }
  return mergeFixtures(base, own, format.collections)
}

/** Tests check the default fixtures; doing so here would take a fifth of the start. */
async function sourceAt(format: FixturesFormat, file: string): Promise<SourceFile> {
  return isDefault(format, file) ? sourceOf(file, JSON.parse(readFileSync(file, 'utf8'))) : readSource(file)
}

function isDefault(format: FixturesFormat, file: string): boolean {
  return dirname(file) === format.defaults
}

async function baseOf(
  format: FixturesFormat,
  source: SourceFile,
  files: string[],
  places: RecordPlaces,
  chain: readonly string[],
): Promise<Fixtures> {
  const { extends: name, without = [] } = source.data as Fixtures
  if (name === undefined && without.length > 0)
    throw await invalidAt(source, ['without'], "'without' needs 'extends': name the fixtures to leave records out of.")
  if (name === undefined) return {}
  const path = name === DEFAULT ? format.defaults : resolve(dirname(source.file), name)
  if (!existsSync(path)) {
    files.push(path)
    throw await invalidAt(source, ['extends'], `'extends' names ${quote(name)}, which does not exist.`)
  }
  if (chain.includes(path))
    throw await invalidAt(source, ['extends'], `'extends' forms a circle: ${quote(name)} extends this file.`)
  return leaveOut(await readFrom(format, path, files, places, chain), without, format, source)
}

/** Omits whole collections, or records as `COLLECTION/KEY`. */
async function leaveOut(
  base: Fixtures,
  without: readonly string[],
  { collections }: FixturesFormat,
  source: SourceFile,
): Promise<Fixtures> {
  const complaints: FileComplaint[] = []
  const left = new Map(
    collections.map((one) => [
      one.name,
      new Map(recordsOf(base, one.name).map((record) => [keyOf(one, record), record])),
    ]),
  )
  for (const [at, entry] of without.entries()) {
    const [name = '', key = ''] = entry.split(/\/(.*)/s)
    const records = left.get(name)
    if (key === '') records?.clear()
    if (records !== undefined && (key === '' || records.delete(normalizeKey(key)))) continue
    if (complaints.length === MOST_COMPLAINTS) break
    const what = records === undefined ? `no collection ${quote(name)}` : `no record ${quote(key)} in ${name}`
    const hint = didYouMean(key || name, (records ?? left).keys())
    complaints.push(await source.complain(['without', at], `There is ${what} to leave out.${hint}`))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  return { ...base, ...Object.fromEntries(Array.from(left, ([name, records]) => [name, [...records.values()]])) }
}

async function filesOf(format: FixturesFormat, path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const files = await dataFilesIn(path)
    if (files.length > 0) return files
  } catch (error) {
    throw unreadable(path, error, 'fixtures')
  }
  const message = `The folder contains no fixtures: add files such as ${namesIn(format)[0]}.json, one per key (${namesIn(format).join(', ')}).`
  throw new InvalidFiles([{ file: path, message }])
}

/** The file of a list is named after its collection. */
async function keyed(format: FixturesFormat, source: SourceFile): Promise<SourceFile> {
  const { file, data, lossyScalars, complain } = source
  if (!Array.isArray(data)) return source
  const name = basename(file, extname(file))
  const collectionNames = namesIn(format)
  if (collectionNames.includes(name))
    return {
      file,
      data: { [name]: data },
      lossyScalars: lossyScalars.map((one) => ({ ...one, path: [name, ...one.path] })),
      complain: ([, ...path], ...others) => complain(path, ...others),
    }
  const message = `The content is a list, and the file's name ${quote(name)} does not name its collection.${didYouMean(name, collectionNames)} Collections: ${collectionNames.join(', ')}.`
  throw await invalidAt(source, [], message)
}

/** `places` gets the place of each record. @throws {InvalidFiles} with `others` and all complaints */
async function recordsIn(
  format: FixturesFormat,
  sources: readonly SourceFile[],
  places: RecordPlaces,
  others: readonly FileComplaint[] = [],
): Promise<Fixtures> {
  const complaints = [...others]
  for (const source of sources) {
    if (!isDefault(format, source.file))
      await collectComplaints(complaints, () => validateSource(source, format.schema))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  const lists = namesIn(format).map((name) => {
    const records = sources.flatMap((source): object[] => {
      return recordsOf(source.data as Fixtures, name).map((record, index) => {
        places.set(record, { source, index })
        return record
      })
    })
    return [name, records] as const
  })
  const counters = Object.assign({}, ...sources.map(({ data }) => (data as Fixtures).counters))
  const fixtures: Fixtures = { version: 1, ...Object.fromEntries(lists), counters }
  await requireUniqueKeys(fixtures, format.collections, places)
  return fixtures
}

function namesIn({ collections }: FixturesFormat): readonly string[] {
  return collections.map(({ name }) => name)
}
