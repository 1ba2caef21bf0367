import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { Fixtures } from '../../api/records.js'
import { defaultFixtures } from '../../package-root.js'
import { didYouMean, quote } from '../contract/wording.js'
import { collectionNames, mergeFixtures } from './collections.js'
import { type RecordPlaces, requireConsistent, requireUniqueKeys } from './consistency.js'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from './invalid-files.js'
import { dataFilesIn, readSource, type SourceFile } from './source-file.js'
import { requireSchema } from './validate-source.js'

/**
 * Reads fixtures from a file, or from a folder with one file per key; `files` gets the names of all files.
 * @throws {InvalidFiles} with every complaint and its place
 */
export async function readFixtures(path: string, files: string[] = []): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const fixtures = await readFrom(path, files, places, [])
  await requireConsistent(fixtures, places)
  return fixtures
}

/** Checks fixtures that are not from a file; they may extend the default fixtures. @throws {InvalidFiles} */
export async function checkFixtures(source: SourceFile): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const own = await recordsIn([source], places)
  const { extends: base } = source.data as Fixtures
  if (base !== undefined && base !== DEFAULT)
    throw await extendsError(source, `'extends' must be '${DEFAULT}' here, not ${quote(base)}.`)
  const fixtures = mergeFixtures(await baseOf(source, [], places, []), own)
  await requireConsistent(fixtures, places)
  return fixtures
}

/** Checks the records of a patch, which are to be put over others. @throws {InvalidFiles} */
export async function checkPatch(before: Fixtures, source: SourceFile): Promise<Fixtures> {
  const places: RecordPlaces = new Map()
  const own = await recordsIn([source], places)
  if ((source.data as Fixtures).extends !== undefined)
    throw await extendsError(source, 'A patch always extends the state: leave it out.')
  await requireConsistent(mergeFixtures(before, own), places, before)
  return own
}

const DEFAULT = 'default'

async function extendsError(source: SourceFile, message: string): Promise<InvalidFiles> {
  return new InvalidFiles([await source.complain(['extends'], message)])
}

/** The records of a file or a folder, over those that it extends; `above` are the files that extend it. */
async function readFrom(
  path: string,
  files: string[],
  places: RecordPlaces,
  above: readonly string[],
): Promise<Fixtures> {
  const names = await filesOf(path)
  files.push(...names)
  const complaints: FileComplaint[] = []
  const sources: SourceFile[] = []
  for (const name of names) {
    const source = await collectComplaints(complaints, async () => keyed(await readSource(name)))
    if (source !== undefined) sources.push(source)
  }
  const own = await recordsIn(sources, places, complaints)
  let base: Fixtures = {}
  for (const source of sources)
    base = mergeFixtures(base, await baseOf(source, files, places, [...above, path, source.file]))
  return mergeFixtures(base, own)
}

async function baseOf(
  source: SourceFile,
  files: string[],
  places: RecordPlaces,
  chain: readonly string[],
): Promise<Fixtures> {
  const { extends: name } = source.data as Fixtures
  if (name === undefined) return {}
  const path = name === DEFAULT ? defaultFixtures : resolve(dirname(source.file), name)
  if (!existsSync(path)) {
    files.push(path)
    throw await extendsError(source, `'extends' names ${quote(name)}, which does not exist.`)
  }
  if (chain.includes(path))
    throw await extendsError(source, `'extends' forms a circle: ${quote(name)} extends this file.`)
  return readFrom(path, files, places, chain)
}

async function filesOf(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const files = await dataFilesIn(path)
    if (files.length > 0) return files
  } catch (error) {
    throw unreadable(path, error, 'fixtures')
  }
  const message = `The folder contains no fixtures: add files such as users.json, one per key (${collectionNames.join(', ')}).`
  throw new InvalidFiles([{ file: path, message }])
}

/** A file that is a list has its collection as its name. */
async function keyed(source: SourceFile): Promise<SourceFile> {
  const { file, data, spellings, complain } = source
  if (!Array.isArray(data)) return source
  const name = basename(file, extname(file))
  if (collectionNames.some((one) => one === name))
    return {
      file,
      data: { [name]: data },
      spellings: spellings.map((one) => ({ ...one, path: [name, ...one.path] })),
      complain: ([, ...path], ...others) => complain(path, ...others),
    }
  const message = `The content is a list, and the file's name ${quote(name)} does not say of what.${didYouMean(name, collectionNames)} Collections: ${collectionNames.join(', ')}.`
  throw new InvalidFiles([await complain([], message)])
}

/** The records of some sources; `places` gets the place of each. @throws {InvalidFiles} with `others` and all complaints */
async function recordsIn(
  sources: readonly SourceFile[],
  places: RecordPlaces,
  others: readonly FileComplaint[] = [],
): Promise<Fixtures> {
  const complaints = [...others]
  for (const source of sources) {
    // To check the package's own fixtures would take a sixth of the start; its tests do.
    const isOwn = dirname(source.file) === defaultFixtures
    if (!isOwn) await collectComplaints(complaints, () => requireSchema(source, Fixtures))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
  const lists = collectionNames.map((name) => {
    const records = sources.flatMap((source): object[] => {
      const own: readonly object[] = (source.data as Fixtures)[name] ?? []
      return own.map((record, index) => {
        places.set(record, { source, index })
        return record
      })
    })
    return [name, records] as const
  })
  const counters = Object.assign({}, ...sources.map(({ data }) => (data as Fixtures).counters))
  const fixtures: Fixtures = { version: 1, ...Object.fromEntries(lists), counters }
  await requireUniqueKeys(fixtures, places)
  return fixtures
}
