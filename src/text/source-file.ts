import { readFile } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import type { Departure } from '../validation/check.js'
import { allowed, didYouMean, quote } from './wording.js'

/** Where something is wrong in a file of the user's. */
export interface FileComplaint {
  readonly file: string
  /** From 1; undefined where it cannot be told. */
  readonly line?: number
  readonly column?: number
  readonly message: string
  /** The lines around it, with a mark. */
  readonly frame?: string
}

/** Files that cannot be used, with every complaint at once. */
export class InvalidFiles extends Error {
  override readonly name = 'InvalidFiles'
  readonly complaints: readonly FileComplaint[]

  constructor(complaints: readonly FileComplaint[]) {
    super(complaints.map(describeComplaint).join('\n'))
    this.complaints = complaints
  }
}

/** `file:line:column: message`, and the code frame below. */
export function describeComplaint({ file, line, column, message, frame }: FileComplaint): string {
  const name = relative('', file) || basename(file)
  const place = line === undefined ? name : `${name.startsWith('..') ? file : name}:${line}:${column}`
  return `${place}: ${message}${frame === undefined ? '' : `\n${frame}`}`
}

/** The data of a JSON or YAML file, and where each value stands in it. */
export interface SourceFile {
  readonly file: string
  readonly data: unknown
  /** A complaint at a path of the data: at its value, or at the key where the key is what is wrong. */
  readonly complain: (
    path: readonly (string | number)[],
    message: string,
    at?: 'key' | 'value',
  ) => Promise<FileComplaint>
}

/**
 * Reads a JSON or YAML file.
 * @throws {InvalidFiles} when there is no such file, or when it does not parse
 */
export async function readSource(file: string): Promise<SourceFile> {
  let text: string
  try {
    text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    throw new InvalidFiles([{ file, message: `The file cannot be read: ${fileErrorReason(error)}.` }])
  }
  const data = file.endsWith('.json')
    ? (parseJson(file, text) ?? (await parseYaml(file, text)))
    : await parseYaml(file, text)
  return {
    file,
    data: data.value,
    complain: async (path, message, at = 'value') => locate(file, text, path, message, at),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'reading it is not permitted',
  EISDIR: 'it is a folder',
}

export function fileErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return REASONS[code ?? ''] ?? message
}

/** Quick, and without the YAML reader; where the place of a mistake is not told, that one reads the file again. */
function parseJson(file: string, text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const [, what, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec((error as Error).message) ?? []
    if (position === undefined) return undefined
    const before = text.slice(0, Number(position)).split('\n')
    const column = (before.at(-1) as string).length + 1
    throw new InvalidFiles([at(file, text, before.length, column, `${what}.`)])
  }
}

async function parseYaml(file: string, text: string): Promise<{ value: unknown }> {
  const { LineCounter, parseDocument } = await import('./yaml.js')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: file.endsWith('.json') ? 'json' : 'core',
    strict: true,
  })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw new InvalidFiles([at(file, text, line, col, `${error.message}.`.replace(/\.\.$/, '.'))])
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    throw new InvalidFiles([{ file, message: `The file cannot be read: ${(error as Error).message}.` }])
  }
}

/** Finding a line in a larger file would take longer than anyone waits. */
const LARGEST_LOCATED = 4 * 1024 * 1024

async function locate(
  file: string,
  text: string,
  path: readonly (string | number)[],
  message: string,
  which: 'key' | 'value',
): Promise<FileComplaint> {
  if (text.length > LARGEST_LOCATED) return { file, message: `${path.join('.')}: ${message}` }
  const { LineCounter, parseDocument, isNode, isMap, isScalar } = await import('./yaml.js')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // The deepest part of the path that stands in the file: what is missing is complained about where it should be.
  for (let depth = path.length; depth >= 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true)
    const key =
      isMap(parent) && which === 'key' && depth === path.length
        ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path[depth - 1]))?.key
        : undefined
    const node = isScalar(key) ? key : document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return at(file, text, line, col, message)
    }
  }
  return { file, message }
}

/** Lines shown before and after the one complained about. */
const AROUND = 2

function at(file: string, text: string, line: number, column: number, message: string): FileComplaint {
  const lines = text.split('\n')
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const width = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    frame.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${lines[number - 1]?.slice(0, 160)}`)
    if (number === line) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1))}^`)
  }
  return { file, line, column, message, frame: frame.join('\n') }
}

/** What the departure of a file's data from its schema is, in words. */
export function describeDeparture({ path, keyword, expected, value }: Departure): string {
  const name = path.at(-1) ?? ''
  const subject = path.length === 0 ? 'The content' : `'${path.join('.')}'`
  if (keyword === 'required') return `'${path.join('.')}' is missing: give ${allowed(expected)}.`
  if (keyword === 'additionalProperties') {
    const known = Object.keys((expected as TSchema).properties ?? {})
    return `The key '${name}' is unknown.${didYouMean(name, known)} Allowed: ${known.join(', ')}.`
  }
  const meant = typeof value === 'string' ? didYouMean(value, valuesOf(expected)) : ''
  return `${subject} must be ${allowed(expected)}, not ${quote(value)}.${meant}`
}

/** The complaint about a departure, where it stands in the file. */
export function locateDeparture(source: SourceFile, departure: Departure): Promise<FileComplaint> {
  return source.complain(
    departure.path,
    describeDeparture(departure),
    departure.keyword === 'additionalProperties' ? 'key' : 'value',
  )
}

function valuesOf(schema: TSchema): string[] {
  return [
    ...((schema.enum as string[] | undefined) ?? []),
    ...((schema.anyOf as TSchema[] | undefined) ?? []).flatMap(valuesOf),
  ]
}

/** Complaints of a union repeat for each of its members: the deepest ones, one a place, say what is meant. */
export function distinctDepartures(complaints: readonly Departure[]): Departure[] {
  const places = new Map<string, Departure>()
  for (const complaint of complaints) {
    const place = complaint.path.join('\u0000')
    const known = places.get(place)
    if (known === undefined || complaint.keyword === 'anyOf' || complaint.expected['x-allowed'] !== undefined) {
      places.set(place, complaint)
    }
  }
  return [...places.values()].filter(
    ({ keyword, path }) =>
      keyword !== 'anyOf' ||
      ![...places.values()].some(
        (other) => other.path.length > path.length && path.every((one, i) => other.path[i] === one),
      ),
  )
}
