import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { DataComplaint } from '../contract/complaint.js'
import {
  findInvalidToken,
  isExact,
  isNestedDeeply,
  isTooComplex,
  MAX_OPEN_BRACKETS,
  numbersIn,
  repeatedKeyIn,
  TOO_COMPLEX,
} from '../contract/json.js'
import { onOneLine, quote, UNSAFE_CHARACTERS } from '../contract/wording.js'
import { type FileComplaint, InvalidFiles, unreadable } from './invalid-files.js'
import { type LossyScalar, readNodes, type YamlMistake } from './yaml-nodes.js'

type SourcePath = DataComplaint['path']

export interface SourceFile {
  readonly file: string
  readonly data: unknown
  readonly lossyScalars: readonly LossyScalar[]
  readonly complain: (path: SourcePath, message: string, about?: 'key' | 'value') => Promise<FileComplaint>
}

export async function invalidAt({ complain }: SourceFile, path: SourcePath, message: string): Promise<InvalidFiles> {
  return new InvalidFiles([await complain(path, message)])
}

type Language = 'json' | 'yaml'

/** @throws {InvalidFiles} if it does not exist, is not UTF-8 or cannot be parsed */
export async function readSource(file: string, language?: Language): Promise<SourceFile> {
  const bytes = await readBytes(file)
  const text = String(bytes)
  if (!isUtf8(bytes))
    throw syntaxError(file, text, 'The file is not in UTF-8: save it as UTF-8', text.indexOf('\ufffd'))
  return parseSource(file, text, language)
}

export async function readText(file: string): Promise<string> {
  return String(await readBytes(file))
}

/** Refuses pipes, sockets and devices, which may never end. */
async function readBytes(file: string): Promise<Buffer> {
  const fail = (error: unknown) => Promise.reject(unreadable(file, error))
  const stats = await stat(file).catch(fail)
  if (!stats.isFile() && !stats.isDirectory()) throw unreadable(file, new Error('it is not a regular file'))
  if (stats.size > LARGEST_FILE) throw unreadable(file, new Error('it has more than 64 MB'))
  return readFile(file, { flag: NON_BLOCKING }).catch(fail)
}

const LARGEST_FILE = 64 * 1024 * 1024
/** Reading some files of /proc would block. */
const NON_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const DATA_FILES: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

export function isDataFile(name: string): boolean {
  return DATA_FILES.has(extname(name).toLowerCase()) && !name.startsWith('.')
}

/** Includes symbolic links: Kubernetes mounts files as links. */
export async function dataFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isDataFile)
  return names.map((name) => join(folder, name)).sort()
}

export function sourceFromData(name: string, data: unknown): SourceFile {
  if (isTooComplex(data)) throw tooComplex(name)
  const complain: SourceFile['complain'] = async (path, message) => ({ file: name, path: pathText(path), message })
  return { file: name, data, lossyScalars: [], complain }
}

/** Lines and list items. The YAML parser, which also finds positions in JSON, takes ten microseconds for each. */
const MAX_PARTS = 150_000

const hasManyParts = (text: string) => text.split(/[\n,]/, MAX_PARTS + 1).length > MAX_PARTS

export async function parseSource(
  file: string,
  content: string,
  language: Language = extname(file).toLowerCase() === '.json' ? 'json' : 'yaml',
): Promise<SourceFile> {
  const text = content.replace(/^\uFEFF/, '')
  const { data, lossyScalars } = await parse(file, text, language)
  let offsets: Promise<OffsetFinder> | undefined
  return {
    ...sourceFromData(file, data),
    lossyScalars,
    complain: async (path, message, about = 'value') => {
      const complaint = { file, path: pathText(path), message }
      offsets ??= offsetsIn(text)
      return complaintAt(complaint, text, (await offsets)(path, about))
    },
  }
}

async function parse(file: string, text: string, language: Language) {
  const isDeepYaml = () => isNestedDeeply(text.replaceAll('"', '')) || DEEPLY_INDENTED.test(text)
  if (language === 'json' ? isNestedDeeply(text) : isDeepYaml()) throw tooComplex(file)
  const isLong = hasManyParts(text)
  if (language === 'yaml') {
    if (isLong) throw new InvalidFiles([{ file, message: 'The content is too long for YAML: write JSON.' }])
    return parseYaml(file, text, 'core')
  }
  try {
    const data = JSON.parse(text)
    const repeated = repeatedKeyIn(text)
    if (repeated !== undefined)
      throw syntaxError(file, text, `Duplicate key ${quote(repeated.key)}; remove one`, repeated.offset)
    const number = lossyNumberIn(text, isLong)
    if (number === undefined) return { data, lossyScalars: [] }
    if (!isLong) return { ...(await parseYaml(file, text, 'json')), data }
    const lossy: LossyScalar = { path: [], about: 'value', source: number, parsed: String(Number(number)) }
    return { data, lossyScalars: [lossy] }
  } catch (error) {
    if (error instanceof InvalidFiles) throw error
    const { message, offset } = explainJsonError(text, (error as Error).message)
    // The YAML parser finds the positions of other mistakes.
    if (offset === undefined && !isLong) await parseYaml(file, text, 'json')
    throw error instanceof RangeError ? tooComplex(file) : syntaxError(file, text, message, offset)
  }
}

function explainJsonError(text: string, error: string): { readonly message: string; readonly offset?: number } {
  const [, message = error, at] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(error) ?? []
  if (at !== undefined) return { message, offset: Number(at) }
  if (/end of JSON/.test(error)) return { message: 'The content ends too early', offset: text.length }
  const offset = findInvalidToken(text)
  if (offset === text.length) return { message }
  return { message: text[offset] === ',' ? 'JSON allows no comma after the last entry' : message, offset }
}

/** The first number that JavaScript would change. In short files, also one that it writes in another way, as `1.0`. */
function lossyNumberIn(json: string, isLong: boolean): string | undefined {
  for (const number of numbersIn(json)) if (isLong ? !isExact(number) : String(Number(number)) !== number) return number
  return undefined
}

async function parseYaml(file: string, text: string, schema: 'json' | 'core') {
  const { parseDocument } = await import('./yaml.js')
  try {
    const document = parseDocument(text, { ...YAML_OPTIONS, schema, strict: true })
    // An unresolved tag is only a warning.
    const [error] = [...document.errors, ...document.warnings]
    if (error === undefined) return await readNodes(document.contents, MAX_PARTS)
    if (/call stack/.test(error.message)) throw tooComplex(file)
    // An unclosed bracket or quote is found at the end of the file: point at its last line.
    const offset = Math.min(error.pos[0], text.trimEnd().length)
    const [, mark] = /^Missing closing (.)quote/.exec(error.message) ?? []
    const begin = mark === undefined ? offset : text.lastIndexOf(mark, offset)
    throw syntaxError(file, text, YAML_MISTAKES[error.message] ?? error.message, begin)
  } catch (error) {
    if (error instanceof InvalidFiles) throw error
    const { message, offset } = error as Partial<YamlMistake> & Error
    throw syntaxError(file, text, message, offset)
  }
}

const YAML_OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const

const YAML_MISTAKES: Readonly<Record<string, string>> = {
  'Alias cannot be an empty string': "In YAML, an unquoted * begins an alias: put it in quotes, as in '*'",
  'Source contains multiple documents; please use YAML.parseAllDocuments()':
    'The file contains more than one document: remove the line ---, or write each document to its own file',
  'Missing closing "quote': 'This " is not closed: add a " after the text',
  "Missing closing 'quote": "This ' is not closed: add a ' after the text",
}

const LONGEST_MESSAGE = 300

function syntaxError(file: string, text: string, reason: string, offset?: number): InvalidFiles {
  const message = `${onOneLine(reason, LONGEST_MESSAGE).replace(/\.$/, '')}.`
  return new InvalidFiles([complaintAt({ file, path: '', message }, text, offset)])
}

/** Each level of a block takes a column. */
const DEEPLY_INDENTED = new RegExp(`^[ \\t?:-]{${MAX_OPEN_BRACKETS}}`, 'm')

function tooComplex(file: string): InvalidFiles {
  return new InvalidFiles([{ file, message: `The content ${TOO_COMPLEX}.` }])
}

function pathText(path: SourcePath): string {
  return path
    .map((part) => (/^\d+$/.test(String(part)) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

type OffsetFinder = (path: SourcePath, about: 'key' | 'value') => number | undefined

async function offsetsIn(text: string): Promise<OffsetFinder> {
  if (hasManyParts(text)) return () => undefined
  const { parseDocument, isNode, isMap, isScalar } = await import('./yaml.js')
  const document = parseDocument(text, YAML_OPTIONS)
  const keyAt = (path: SourcePath) => {
    const parent = document.getIn(path.slice(0, -1), true)
    const pairs = isMap(parent) ? parent.items : []
    return pairs.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key
  }
  // For a missing value, finds the deepest part of its path that exists.
  const find = (path: SourcePath, key?: unknown): number | undefined => {
    const node = key ?? document.getIn(path, true)
    if (isNode(node) && node.range) return node.range[0]
    return path.length === 0 ? undefined : find(path.slice(0, -1))
  }
  return (path, about) => find(path, about === 'key' ? keyAt(path) : undefined)
}

function complaintAt(complaint: FileComplaint, text: string, offset: number | undefined): FileComplaint {
  if (offset === undefined) return complaint
  const before = text.slice(0, offset).split('\n')
  const [line, column] = [before.length, (before.at(-1) as string).length + 1]
  const content = text.split('\n')[line - 1] as string
  return {
    ...complaint,
    line,
    column,
    ...(content.length <= WIDEST_FRAME && { frame: codeFrame(content, line, column) }),
  }
}

const WIDEST_FRAME = 120

function codeFrame(content: string, line: number, column: number): string {
  const shown = content.replace(/\r$/, '').replaceAll('\t', ' ').replace(UNSAFE_CHARACTERS, '\ufffd')
  return `> ${line} | ${shown}\n  ${' '.repeat(`${line}`.length)} | ${' '.repeat(column - 1)}^`
}
