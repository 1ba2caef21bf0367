import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { codeFrame } from './code-frame.js'
import { type ComplaintCode, type FileComplaint, InvalidFiles, unreadable } from './invalid-files.js'
import { onOneLine } from './wording.js'

type SourcePath = readonly (string | number)[]

/** The data of a JSON or YAML file, and where each value is in it. */
export interface SourceFile {
  readonly file: string
  readonly data: unknown
  /** A complaint about what is at a path of the data: its value, or its key where the key is wrong. */
  readonly complain: (
    code: ComplaintCode,
    path: SourcePath,
    message: string,
    about?: 'key' | 'value',
  ) => Promise<FileComplaint>
}

type Language = 'json' | 'yaml'

/**
 * Reads a JSON or YAML file; its name says which it is, unless that is known. Complaints name it as `name`.
 * @throws {InvalidFiles} if the file does not exist or cannot be parsed
 */
export async function readSource(file: string, language?: Language, name = file): Promise<SourceFile> {
  try {
    await requireFile(file)
    return await parseSource(name, String(await readFile(file)), language)
  } catch (error) {
    throw error instanceof InvalidFiles ? error : unreadable(name, error)
  }
}

const DATA_FILES: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

/** Whether a file in a folder of scenarios or fixtures is one of them, by its name. */
export function isDataFile(name: string): boolean {
  return DATA_FILES.has(extname(name)) && !name.startsWith('.')
}

/**
 * The data files of a folder, links too, as Kubernetes mounts files: what is no file is told when it is read.
 * @throws {Error} if the folder cannot be read
 */
export async function dataFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isDataFile)
  return names.map((name) => join(folder, name)).sort()
}

/** What the shell gives to read what a program prints, as in `--config <(print-it)`: that is open, and can be read. */
const OPEN_ALREADY = /^\/dev\/(fd\/\d+|stdin)$/

/**
 * A pipe may never be written to, and a device may have no end.
 * @throws {Error} for what is no file
 */
export async function requireFile(file: string): Promise<void> {
  const stats = await stat(file)
  // Reading a folder says by itself what is wrong.
  if (stats.isFile() || stats.isDirectory() || OPEN_ALREADY.test(file)) return
  throw new Error(`it is a ${stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device'}, not a file`)
}

/** Data that is not from a file: complaints name the place in the data, with `name` instead of a file. */
export function sourceOf(name: string, data: unknown): SourceFile {
  return {
    file: name,
    data,
    complain: async (code, path, message) => ({ code, file: name, path: pathText(path), message }),
  }
}

/** Levels of lists and objects in a file. */
const MOST_LEVELS = 100

/**
 * Reads the content of a JSON or YAML file.
 * @throws {InvalidFiles} when it does not parse
 */
export async function parseSource(
  file: string,
  content: string,
  language: Language = file.endsWith('.json') ? 'json' : 'yaml',
): Promise<SourceFile> {
  const text = content.replace(/^\uFEFF/, '')
  const data = await parse(file, text, language)
  if (isDeep(data, MOST_LEVELS)) throw tooDeep(file)
  let places: Promise<Places> | undefined
  return {
    file,
    data,
    complain: async (code, path, message, about = 'value') => {
      places ??= text.length > LARGEST_LOCATED ? Promise.resolve(() => undefined) : readPlaces(text)
      return complaintAt({ code, file, path: pathText(path), message }, text, (await places)(path, about))
    },
  }
}

async function parse(file: string, text: string, language: Language): Promise<unknown> {
  try {
    // Quick, and without the YAML reader.
    if (language === 'json') return JSON.parse(text)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    const [, what, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec((error as Error).message) ?? []
    // Without a position: the YAML reader finds it, unless YAML allows what is wrong.
    if (position === undefined) await parseYaml(file, text, 'json')
    const before = text.slice(0, Number(position)).split('\n')
    const place = position && { line: before.length, column: (before.at(-1) as string).length + 1 }
    const message = `${what ?? onOneLine((error as Error).message, LONGEST)}.`
    throw new InvalidFiles([complaintAt({ code: 'syntax', file, path: '', message }, text, place || undefined)])
  }
  return parseYaml(file, text, 'core')
}

/** Characters of what a reader says, which quotes the file. */
const LONGEST = 300

async function parseYaml(file: string, text: string, schema: 'json' | 'core'): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('./yaml.js')
  const lineCounter = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, schema, strict: true })
    const [error] = document.errors
    if (error === undefined) return document.toJS({ maxAliasCount: 100 })
    if (/call stack/.test(error.message)) throw tooDeep(file)
    const message = YAML_MISTAKES[error.message] ?? `${onOneLine(error.message, LONGEST)}.`.replace(/\.\.$/, '.')
    const { line, col: column } = lineCounter.linePos(error.pos[0])
    throw new InvalidFiles([complaintAt({ code: 'syntax', file, path: '', message }, text, { line, column })])
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    throw error instanceof InvalidFiles
      ? error
      : unreadable(file, new Error(onOneLine((error as Error).message, LONGEST)))
  }
}

/** What the YAML reader says in its own words, in those of who writes a file. */
const YAML_MISTAKES: Readonly<Record<string, string>> = {
  'Alias cannot be an empty string': "A lone * has a meaning of its own in YAML: put it in quotes, as in '*'.",
  'Source contains multiple documents; please use YAML.parseAllDocuments()':
    'The file holds more than one document: remove the line ---, or make a file of each.',
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeep(one, levels - 1))
}

function tooDeep(file: string): InvalidFiles {
  const message = `The content is nested more than ${MOST_LEVELS} levels deep.`
  return new InvalidFiles([{ code: 'syntax', file, message }])
}

/** A place as it is written in code: `rules[1].answer.status`. */
function pathText(path: SourcePath): string {
  return path
    .map((part) => (/^\d+$/.test(String(part)) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

/** A line and a column, both from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

type Places = (path: SourcePath, about: 'key' | 'value') => Place | undefined

/** Finding a line in a larger file would take longer than anyone waits. */
const LARGEST_LOCATED = 4 * 1024 * 1024

/** Where each value of a text is; parsed once for all complaints. */
async function readPlaces(text: string): Promise<Places> {
  const { LineCounter, parseDocument, isNode, isMap, isScalar } = await import('./yaml.js')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const keyAt = (path: SourcePath) => {
    const parent = document.getIn(path.slice(0, -1), true)
    const pairs = isMap(parent) ? parent.items : []
    return pairs.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key
  }
  return (path, about) => {
    // The deepest part of the path that occurs in the file: a missing value is reported where it should be.
    for (let depth = path.length; depth >= 0; depth--) {
      const key = about === 'key' && depth === path.length ? keyAt(path) : undefined
      const node = key ?? document.getIn(path.slice(0, depth), true)
      if (!isNode(node) || !node.range) continue
      const { line, col: column } = lineCounter.linePos(node.range[0])
      return { line, column }
    }
    return undefined
  }
}

function complaintAt(complaint: FileComplaint, text: string, place: Place | undefined): FileComplaint {
  if (place === undefined) return complaint
  return { ...complaint, ...place, frame: codeFrame(text, place.line, place.column) }
}
