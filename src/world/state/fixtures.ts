import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { Fixtures } from '../../../schemas/fixtures.js'
import { defaultFixtures } from '../../package-root.js'
import { collectComplaints, type FileComplaint, InvalidFiles, unreadable } from '../../text/invalid-files.js'
import { dataFilesIn, readSource, type SourceFile } from '../../text/source-file.js'
import { didYouMean, quote } from '../../text/wording.js'
import { checkOf } from '../../validation/check.js'
import { distinctDepartures, locateDeparture } from '../../validation/require-schema.js'
import { collectionNames, over } from './collections.js'
import { MOST_COMPLAINTS, type Places, requireConsistent, requireUniqueKeys } from './consistency.js'

/**
 * Reads fixtures from a file, or from a folder with one file per key; `files` takes the names of all that is read.
 * @throws {InvalidFiles} naming file, place and reason of all that is wrong
 */
export async function readFixtures(path: string, files: string[] = []): Promise<Fixtures> {
  const places: Places = new Map()
  const fixtures = await readFrom(path, files, places, [])
  await requireConsistent(fixtures, places)
  return fixtures
}

/**
 * Checks fixtures that are no file's; they may extend the default fixtures.
 * @throws {InvalidFiles} naming place and reason of all that is wrong
 */
export async function checkFixtures(source: SourceFile): Promise<Fixtures> {
  const places: Places = new Map()
  const own = await recordsIn([source], places)
  const { extends: base } = source.data as Fixtures
  if (base !== undefined && base !== DEFAULT)
    throw await refused(source, `'extends' must be '${DEFAULT}' here, not ${quote(base)}.`)
  const fixtures = base === undefined ? own : over(await readFrom(defaultFixtures, [], places, []), own)
  await requireConsistent(fixtures, places)
  return fixtures
}

/**
 * Checks records that are to be put over others, and returns them.
 * @throws {InvalidFiles} naming place and reason of all that is wrong
 */
export async function checkPatch(before: Fixtures, source: SourceFile): Promise<Fixtures> {
  const places: Places = new Map()
  const own = await recordsIn([source], places)
  if ((source.data as Fixtures).extends !== undefined)
    throw await refused(source, 'A patch always extends the state: leave it out.')
  await requireConsistent(over(before, own), places, before)
  return own
}

const DEFAULT = 'default'

async function refused(source: SourceFile, message: string): Promise<InvalidFiles> {
  return new InvalidFiles([await source.complain('reference', ['extends'], message)])
}

/** The records of a file or a folder, over those that it extends; `above` are those that extend it. */
async function readFrom(path: string, files: string[], places: Places, above: readonly string[]): Promise<Fixtures> {
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
  for (const source of sources) {
    const { extends: name } = source.data as Fixtures
    if (name === undefined) continue
    const other = name === DEFAULT ? defaultFixtures : resolve(dirname(source.file), name)
    if (!existsSync(other)) {
      files.push(other)
      throw await refused(source, `'extends' names ${quote(name)}, which does not exist.`)
    }
    const chain = [...above, path, source.file]
    if (chain.includes(other))
      throw await refused(source, `'extends' forms a circle: ${quote(name)} extends this file.`)
    base = over(base, await readFrom(other, files, places, chain))
  }
  return over(base, own)
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
  throw new InvalidFiles([{ code: 'schema', file: path, message }])
}

/** The name of a file that is a bare list says which collection it holds. */
async function keyed(source: SourceFile): Promise<SourceFile> {
  const { file, data, complain } = source
  if (!Array.isArray(data)) return source
  const name = basename(file, extname(file))
  if (collectionNames.some((one) => one === name))
    return { file, data: { [name]: data }, complain: (code, [, ...path], ...others) => complain(code, path, ...others) }
  const message = `The content is a list, and the file's name ${quote(name)} does not say of what.${didYouMean(name, collectionNames)} Collections: ${collectionNames.join(', ')}.`
  throw new InvalidFiles([await complain('schema', [], message)])
}

/**
 * The records of some sources; `places` takes where each of them stands.
 * @throws {InvalidFiles} for what is not in the fixtures format, and for keys that come twice, with other complaints
 */
async function recordsIn(
  sources: readonly SourceFile[],
  places: Places,
  others: readonly FileComplaint[] = [],
): Promise<Fixtures> {
  const complaints = [...others]
  const lists = Object.fromEntries(collectionNames.map((name) => [name, [] as object[]]))
  let counters = {}
  for (const source of sources) {
    // To check the package's own fixtures would take a sixth of the start; its tests do.
    const isOwn = source.file.startsWith(defaultFixtures)
    const departures = isOwn ? [] : distinctDepartures(checkOf(Fixtures)(source.data)).slice(0, MOST_COMPLAINTS)
    for (const one of departures) complaints.push(await locateDeparture(source, one))
    if (departures.length > 0) continue
    const data = source.data as Fixtures
    counters = { ...counters, ...data.counters }
    for (const name of collectionNames)
      for (const [index, record] of (data[name] ?? []).entries()) {
        places.set(record, { source, index })
        lists[name]?.push(record)
      }
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints.slice(0, MOST_COMPLAINTS))
  const fixtures: Fixtures = { version: 1, ...lists, counters }
  await requireUniqueKeys(fixtures, places)
  return fixtures
}
