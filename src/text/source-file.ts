import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { codeFrame } from './code-frame.js'
import { type Complaint, type ComplaintCode, UnusableFiles, unreadable } from './invalid-files.js'
import { shorten } from './wording.js'

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
  ) => Promise<Complaint>
}

/** Which language a file is in. */
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
    throw error instanceof UnusableFiles ? error : unreadable(name, error)
  }
}

/** Data that is not from a file: complaints name the place in the data, with `name` instead of a file. */
export function sourceOf(name: string, data: unknown): SourceFile {
  return {
    file: name,
    data,
    complain: async (code, path, message) => ({ code, file: name, path: pathText(path), message }),
  }
}

/**
 * Reads the content of a JSON or YAML file.
 * @throws {InvalidFiles} when it does not parse
 */
export async function parseSource(
  file: string,
  content: string,
  language: Language = file.endsWith('.json') ? 'json' : 'yaml',
): Promise<SourceFile> {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content
  const quickly = language === 'json' ? parseJsonFile(file, text) : undefined
  const parsed = quickly ?? (await parseYamlFile(file, text, language))
  requireShallow(file, parsed.data)
  // The YAML reader says where.
  if (quickly !== undefined && hasRepeatedKey(text, quickly.data)) await parseYamlFile(file, text, language)
  let places: Promise<Places | undefined> | undefined
  return {
    file,
    data: parsed.data,
    complain: async (code, path, message, about = 'value') => {
      places ??= readPlaces(text)
      return complaintAt({ code, file, path: pathText(path), message }, text, (await places)?.(path, about))
    },
  }
}

/** A place as it is written in code: `rules[1].answer.status`. */
function pathText(path: SourcePath): string {
  return path
    .map((part) => (/^\d+$/.test(String(part)) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

/** What the shell gives to read what a program prints, as in `--config <(print-it)`: that is open, and can be read. */
const OPEN_ALREADY = /^\/dev\/(fd\/\d+|stdin)$/

/**
 * A pipe that nobody writes to would be waited for, and a device may have no end.
 * @throws {Error} for what is no file
 */
export async function requireFile(file: string): Promise<void> {
  const stats = await stat(file)
  // Reading a folder says by itself what is wrong.
  if (stats.isFile() || stats.isDirectory() || OPEN_ALREADY.test(file)) return
  const [kind = 'device'] = Object.entries(KINDS).find(([, is]) => is(stats)) ?? []
  throw new Error(`it is a ${kind}, not a file`)
}

const KINDS: Readonly<Record<string, (stats: Stats) => boolean>> = {
  pipe: (stats) => stats.isFIFO(),
  socket: (stats) => stats.isSocket(),
}

/** Quick, and without the YAML reader; undefined where the error gives no place: the YAML reader then finds it. */
function parseJsonFile(file: string, text: string): { data: unknown } | undefined {
  try {
    return { data: JSON.parse(text) }
  } catch (error) {
    const [, what, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec((error as Error).message) ?? []
    if (position === undefined) return undefined
    const before = text.slice(0, Number(position)).split('\n')
    const place = { line: before.length, column: (before.at(-1) as string).length + 1 }
    throw noSyntax(file, text, `${what}.`, place)
  }
}

async function parseYamlFile(file: string, text: string, language: Language): Promise<{ data: unknown }> {
  const { LineCounter, parseDocument } = await import('./yaml.js')
  const lines = new LineCounter()
  const schema = language === 'json' ? 'json' : 'core'
  const document = notTooDeep(file, () =>
    parseDocument(text, { lineCounter: lines, prettyErrors: false, schema, strict: true }),
  )
  const [error] = document.errors
  if (error !== undefined) {
    if (/call stack/.test(error.message)) throw tooDeep(file)
    const { line, col } = lines.linePos(error.pos[0])
    const message = YAML_MISTAKES[error.message] ?? `${shorten(error.message, LONGEST_MISTAKE)}.`.replace(/\.\.$/, '.')
    throw noSyntax(file, text, message, { line, column: col })
  }
  try {
    return { data: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    const message = shorten((error as Error).message, LONGEST_MISTAKE)
    throw unreadable(file, new Error(message))
  }
}

/** What the YAML reader says in its own words, in those of who writes a file. */
const YAML_MISTAKES: Readonly<Record<string, string>> = {
  'Alias cannot be an empty string': "A lone * has a meaning of its own in YAML: put it in quotes, as in '*'.",
  'Source contains multiple documents; please use YAML.parseAllDocuments()':
    'The file holds more than one document: remove the line ---, or make a file of each.',
}

/** Whether an object has a key twice, of which `JSON.parse` keeps the last; what is larger than people write is not looked at. */
function hasRepeatedKey(text: string, data: unknown): boolean {
  if (text.length > LARGEST_LOCATED) return false
  let written = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) written++
  return written > keysIn(data)
}

function keysIn(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0
  const values = Object.values(data)
  const nested = values.reduce<number>((sum, value) => sum + keysIn(value), 0)
  return Array.isArray(data) ? nested : values.length + nested
}

/** Characters of what the YAML reader says, which quotes the file. */
const LONGEST_MISTAKE = 300

/** Levels of lists and objects in a file; what walks through them does so level by level. */
const MOST_LEVELS = 100

/** @throws {InvalidFiles} for data that is nested more deeply than any format of ours */
function requireShallow(file: string, data: unknown): void {
  if (isDeep(data, MOST_LEVELS)) throw tooDeep(file)
}

/** Whether a value has more levels than so many. Files have a million values: nothing is made of any of them. */
function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((one) => isDeep(one, levels - 1))
  for (const key in value) if (isDeep((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

function notTooDeep<T>(file: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(file)
    throw error
  }
}

function tooDeep(file: string): UnusableFiles {
  return new UnusableFiles([
    { code: 'syntax', file, message: `The content is nested more than ${MOST_LEVELS} levels deep.` },
  ])
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
async function readPlaces(text: string): Promise<Places | undefined> {
  if (text.length > LARGEST_LOCATED) return undefined
  const { LineCounter, parseDocument, isNode, isMap, isScalar } = await import('./yaml.js')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const keyAt = (path: SourcePath) => {
    const parent = document.getIn(path.slice(0, -1), true)
    if (!isMap(parent)) return undefined
    return parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))?.key
  }
  return (path, about) => {
    // The deepest part of the path that occurs in the file: a missing value is reported where it should be.
    for (let depth = path.length; depth >= 0; depth--) {
      const here = path.slice(0, depth)
      const key = about === 'key' && depth === path.length ? keyAt(here) : undefined
      const node = isScalar(key) ? key : document.getIn(here, true)
      if (isNode(node) && node.range) {
        const { line, col } = lines.linePos(node.range[0])
        return { line, column: col }
      }
    }
    return undefined
  }
}

function noSyntax(file: string, text: string, message: string, place: Place): UnusableFiles {
  return new UnusableFiles([complaintAt({ code: 'syntax', file, path: '', message }, text, place)])
}

function complaintAt(complaint: Complaint, text: string, place: Place | undefined): Complaint {
  if (place === undefined) return complaint
  return { ...complaint, ...place, frame: codeFrame(text, place.line, place.column) }
}
