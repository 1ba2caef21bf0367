import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { DataComplaint } from '../contract/complaint.js'
import {
  findInvalidToken,
  inexactNumberIn,
  isNestedDeeply,
  isTooComplex,
  repeatedKeyIn,
  TOO_COMPLEX,
} from '../contract/json.js'
import { describeInexact, onOneLine, quote, UNSAFE_CHARACTERS } from '../contract/wording.js'
import { type FileComplaint, InvalidFiles, unreadable } from './invalid-files.js'
import { composeYaml, keyAsWritten, type LossyScalar, readNodes, YamlMistake } from './yaml-nodes.js'

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
  // In UTF-16, the other byte of a letter is zero.
  const flaw = isUtf8(bytes) ? text.indexOf('\0') : text.search(/[\0\ufffd]/)
  if (flaw >= 0) throw syntaxError(file, text, 'The file is not in UTF-8: save it as UTF-8', flaw)
  return parseSource(file, text, language)
}

export async function readText(file: string): Promise<string> {
  return String(await readBytes(file))
}

/** Throws for pipes, sockets and devices, which may never end. */
async function readBytes(file: string): Promise<Buffer> {
  const fail = (error: unknown) => Promise.reject(unreadable(file, error))
  const stats = await stat(file).catch(fail)
  if (!stats.isFile() && !stats.isDirectory()) throw unreadable(file, new Error('it is not a regular file'))
  // Endless files of /proc have the size 0: stop reading at the limit.
  const stream = (await open(file, NON_BLOCKING).catch(fail)).createReadStream({ end: LARGEST_FILE })
  const bytes = Buffer.concat(await stream.toArray().catch(fail))
  if (bytes.byteLength > LARGEST_FILE) throw unreadable(file, new Error('it has more than 64 MB'))
  return bytes
}

export const LARGEST_FILE = 64 * 1024 * 1024
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
  if (language === 'yaml') return parseYaml(file, text)
  if (isNestedDeeply(text)) throw tooComplex(file)
  const data = await parseJson(file, text)
  const repeated = repeatedKeyIn(text)
  if (repeated !== undefined)
    throw syntaxError(file, text, `Duplicate key ${quote(repeated.key)}; remove one`, repeated.offset)
  const inexact = inexactNumberIn(text)
  if (inexact !== undefined) throw syntaxError(file, text, describeInexact(inexact.number), inexact.offset)
  return { data, lossyScalars: [] }
}

async function parseJson(file: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message, offset } = explainJsonError(text, (error as Error).message)
    const inYaml = offset === undefined ? await composeYaml(text).catch((mistake: unknown) => mistake) : undefined
    throw syntaxError(file, text, message, inYaml instanceof YamlMistake ? inYaml.offset : offset)
  }
}

function explainJsonError(text: string, error: string) {
  const [, message = error, at] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(error) ?? []
  const offset = at === undefined ? findInvalidToken(text) : Number(at)
  return { message, offset: offset < text.length || /end of JSON/.test(error) ? offset : undefined }
}

async function parseYaml(file: string, text: string) {
  try {
    return await readNodes((await composeYaml(text)).contents)
  } catch (error) {
    if (!(error instanceof YamlMistake)) throw error
    throw syntaxError(file, text, error.message.replace('Alias cannot be an empty string', UNQUOTED_STAR), error.offset)
  }
}

const UNQUOTED_STAR = "In YAML, an unquoted * begins an alias: put it in quotes, as in '*'"

const LONGEST_MESSAGE = 300

function syntaxError(file: string, text: string, reason: string, offset?: number): InvalidFiles {
  const message = `${onOneLine(reason, LONGEST_MESSAGE).replace(/\.$/, '')}.`
  return new InvalidFiles([complaintAt({ file, path: '', message }, text, offset)])
}

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
  const { isNode, isMap, isScalar } = await import('./yaml.js')
  // JSON may be too long.
  const document = await composeYaml(text).catch(() => undefined)
  if (document === undefined) return () => undefined
  const keyAt = (path: SourcePath) => {
    const parent = document.getIn(path.slice(0, -1), true)
    const pairs = isMap(parent) ? parent.items : []
    return pairs.find(({ key }) => isScalar(key) && keyAsWritten(key) === String(path.at(-1)))?.key
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
