import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { isObject } from '../contract/json.js'
import { didYouMean, quote } from '../contract/wording.js'
import type { Fixtures, FixturesFormat } from './collections.js'
import { keyOf, mergeFixtures, normalizeKey, recordsByKey, recordsOf } from './collections.js'
import { type RecordPlaces, requireConsistent, requireUniqueKeys } from './consistency.js'
import { collectComplaints, type FileComplaint, InvalidFiles, locateFirst, unreadable } from './invalid-files.js'
import { dataFilesIn, invalidAt, readSource, type SourceFile, sourceFromData } from './source-file.js'
import { validateSource } from './validate-source.js'

/** Reads a file, or a folder with one file per key; adds the names of all files to `files`. @throws {InvalidFiles} */
export async function readFixtures(format: FixturesFormat, path: string, files: string[] = []): Promise<Fixtures> {
  const reader = new FixturesReader(format, files)
  return reader.requireConsistent(await reader.read(path))
}

/** Checks fixtures that are not from a file. @throws {InvalidFiles} */
export async function checkFixtures(format: FixturesFormat, source: SourceFile): Promise<Fixtures> {
  const reader = new FixturesReader(format)
  const records = await reader.recordsIn([source])
  const { extends: base } = source.data as Fixtures
  if (base !== undefined && base !== DEFAULT)
    throw await invalidAt(source, ['extends'], `'extends' must be '${DEFAULT}' or absent, not ${quote(base)}.`)
  return reader.requireConsistent(mergeFixtures(await reader.baseOf(source), records, format.collections))
}

/** Checks a patch, and returns the patched records. @throws {InvalidFiles} */
export async function checkPatch(format: FixturesFormat, before: Fixtures, source: SourceFile): Promise<Fixtures> {
  const reader = new FixturesReader(format)
  const { collections } = format
  const patched = await reader.recordsIn([{ ...source, data: patchRecords(before, source.data, collections) }])
  const { extends: base, without } = source.data as Fixtures
  if ((base ?? without) !== undefined)
    throw await invalidAt(source, ['extends'], "A patch always extends the state: remove 'extends' and 'without'.")
  await reader.requireConsistent(mergeFixtures(before, patched, collections), before)
  return patched
}

/** Replaces fields of the record with the same key; null removes a field. */
function patchRecords(before: Fixtures, data: unknown, collections: FixturesFormat['collections']): unknown {
  if (!isObject(data)) return data
  const lists = collections.flatMap((collection) => {
    const records = data[collection.name]
    if (!Array.isArray(records)) return []
    const oldRecords = recordsByKey(before, collection)
    const patch = (record: unknown) => {
      const oldRecord = isObject(record) ? oldRecords.get(keyOf(collection, record)) : undefined
      if (oldRecord === undefined) return record
      // JSON drops undefined fields, which the schema rejects.
      const fields = Object.entries({ ...JSON.parse(JSON.stringify(oldRecord)), ...Object(record) })
      const isDeclared = (name: string) => Object.hasOwn(collection.schema.properties, name)
      return Object.fromEntries(fields.filter(([name, value]) => value !== null || !isDeclared(name)))
    }
    return [[collection.name, records.map(patch)] as const]
  })
  return { ...data, ...Object.fromEntries(lists) }
}

const DEFAULT = 'default'

class FixturesReader {
  readonly #places: RecordPlaces = new Map()
  readonly #names: readonly string[]

  constructor(
    private readonly format: FixturesFormat,
    private readonly files: string[] = [],
  ) {
    this.#names = format.collections.map(({ name }) => name)
  }

  async requireConsistent(fixtures: Fixtures, before?: Fixtures): Promise<Fixtures> {
    await requireConsistent(fixtures, this.format.collections, this.#places, before)
    return fixtures
  }

  /** `chain`: the files that extend this one. */
  async read(path: string, chain: readonly string[] = []): Promise<Fixtures> {
    const names = await this.#filesOf(path)
    this.files.push(...names)
    const complaints: FileComplaint[] = []
    const sources: SourceFile[] = []
    for (const name of names) {
      const source = await collectComplaints(complaints, async () => this.#byCollection(await this.#readFile(name)))
      if (source !== undefined) sources.push(source)
    }
    const records = await this.recordsIn(sources, complaints)
    let base: Fixtures = {}
    for (const source of sources) {
      const extended = await this.baseOf(source, [...chain, path, source.file])
      base = mergeFixtures(base, extended, this.format.collections)
    }
    return mergeFixtures(base, records, this.format.collections)
  }

  /** Does not check the default fixtures, which tests check: that would take a fifth of the start. */
  async #readFile(file: string): Promise<SourceFile> {
    return this.#isDefault(file) ? sourceFromData(file, JSON.parse(readFileSync(file, 'utf8'))) : readSource(file)
  }

  #isDefault(file: string): boolean {
    return dirname(file) === this.format.defaults
  }

  async baseOf(source: SourceFile, chain: readonly string[] = []): Promise<Fixtures> {
    const { extends: name, without = [] } = source.data as Fixtures
    const extendsMissing = "'without' needs 'extends': set 'extends' to the fixtures whose records 'without' omits."
    if (name === undefined && without.length > 0) throw await invalidAt(source, ['without'], extendsMissing)
    if (name === undefined) return {}
    const path = name === DEFAULT ? this.format.defaults : resolve(dirname(source.file), name)
    if (!existsSync(path)) {
      this.files.push(path)
      throw await invalidAt(source, ['extends'], `'extends' names ${quote(name)}, which does not exist.`)
    }
    if (chain.includes(path))
      throw await invalidAt(source, ['extends'], `'extends' forms a circle: ${quote(name)} extends this file.`)
    return this.#omitRecords(await this.read(path, chain), without, source)
  }

  async #omitRecords(base: Fixtures, without: readonly string[], source: SourceFile): Promise<Fixtures> {
    const remaining = new Map(this.format.collections.map((one) => [one.name, recordsByKey(base, one)]))
    const unknown = without.flatMap((entry, at) => {
      const [name = '', key = ''] = entry.split(/\/(.*)/s)
      const records = remaining.get(name)
      if (key === '') records?.clear()
      const isKnown = records !== undefined && (key === '' || records.delete(normalizeKey(key)))
      return isKnown ? [] : { at, name, key, records }
    })
    const complaints = await locateFirst(unknown, ({ at, name, key, records }) => {
      const missing = records === undefined ? `no collection ${quote(name)}` : `no record ${quote(key)} in ${name}`
      const hint = didYouMean(key || name, (records ?? remaining).keys())
      return source.complain(['without', at], `There is ${missing} to leave out.${hint}`)
    })
    if (complaints.length > 0) throw new InvalidFiles(complaints)
    return { ...base, ...Object.fromEntries(Array.from(remaining, ([name, records]) => [name, [...records.values()]])) }
  }

  async #filesOf(path: string): Promise<string[]> {
    try {
      if (!(await stat(path)).isDirectory()) return [path]
      const files = await dataFilesIn(path)
      if (files.length > 0) return files
    } catch (error) {
      throw unreadable(path, error, 'fixtures')
    }
    const message = `The folder contains no fixtures: add files such as ${this.#names[0]}.json, one per collection (${this.#names.join(', ')}).`
    throw new InvalidFiles([{ file: path, message }])
  }

  /** A list belongs to the collection with the file's name. */
  async #byCollection(source: SourceFile): Promise<SourceFile> {
    const { file, data, lossyScalars, complain } = source
    if (!Array.isArray(data)) return source
    const name = basename(file, extname(file))
    if (this.#names.includes(name))
      return {
        file,
        data: { [name]: data },
        lossyScalars: lossyScalars.map((scalar) => ({ ...scalar, path: [name, ...scalar.path] })),
        complain: ([, ...path], ...others) => complain(path, ...others),
      }
    const message = `The content is a list, but no collection has the file's name ${quote(name)}.${didYouMean(name, this.#names)} Collections: ${this.#names.join(', ')}.`
    throw await invalidAt(source, [], message)
  }

  /** @throws {InvalidFiles} with `others` and all complaints */
  async recordsIn(sources: readonly SourceFile[], others: readonly FileComplaint[] = []): Promise<Fixtures> {
    const complaints = [...others]
    for (const source of sources) {
      if (!this.#isDefault(source.file))
        await collectComplaints(complaints, () => validateSource(source, this.format.schema))
    }
    if (complaints.length > 0) throw new InvalidFiles(complaints)
    const lists = this.#names.map((name) => [name, sources.flatMap(({ data }) => recordsOf(data as Fixtures, name))])
    for (const source of sources)
      for (const name of this.#names)
        for (const [index, record] of recordsOf(source.data as Fixtures, name).entries())
          this.#places.set(record, { source, index })
    const counters = Object.assign({}, ...sources.map(({ data }) => (data as Fixtures).counters))
    const fixtures: Fixtures = { version: 1, ...Object.fromEntries(lists), counters }
    await requireUniqueKeys(fixtures, this.format.collections, this.#places)
    return fixtures
  }
}
