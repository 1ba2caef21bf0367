import { perObject } from '../../../schemas/per-object.js'
import { bareObject } from '../../text/bare-object.js'
import { unescaped } from '../../text/unescaped.js'
import { decodeText, requirePlainPart } from './encodings.js'
import { parseHeader, trimmed } from './header-parameters.js'
import { MOST_PARTS, unreadable } from './unreadable-form.js'

/** One part of a form: its name, literally, and its text or its file. */
export interface MultipartPart {
  readonly name: string
  readonly value: string | PartFile
}

export interface PartFile {
  readonly filename: string
  readonly mimetype: string
  readonly content: Uint8Array
}

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]
/** RFC 2046, section 5.1.1. */
const LONGEST_BOUNDARY = 70

/**
 * Reads the parts of a multipart/form-data body in their order. `files` are names that are files whatever their
 * parts say. The body is whole in memory, where its files stay: see docs/decisions/011.
 * @throws {UnreadableForm} for a body that is not a well-formed form
 */
export function readParts(body: Buffer, contentType: string, files: ReadonlySet<string>): MultipartPart[] {
  const delimiter = delimiterOf(contentType)
  // An empty body is an empty form.
  return body.byteLength === 0 ? [] : split(body, delimiter).map((part) => readPart(part, files))
}

/**
 * What stands between parts.
 * @throws {UnreadableForm} for a Content-Type without a boundary that can be used
 */
export function delimiterOf(contentType: string): Buffer {
  const { boundary = '' } = parseHeader(contentType).parameters
  if (boundary === '') throw unreadable('no-boundary')
  if (boundary.length > LONGEST_BOUNDARY) throw unreadable('boundary-too-long')
  return Buffer.from(`\r\n--${boundary}`, 'latin1')
}

/** The bytes between the delimiters, each with the line end before them, without preamble and epilogue. */
function split(body: Buffer, delimiter: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = -1
  // The first one needs no line before it.
  const opens = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
  let at = opens ? -2 : body.indexOf(delimiter)
  while (at !== -1) {
    let line = at + delimiter.length
    const closes = body[line] === DASH && body[line + 1] === DASH
    while (body[line] === SPACE || body[line] === TAB) line++
    if (closes || (body[line] === CR && body[line + 1] === LF)) {
      // .NET sends a form without fields as one part of nothing.
      if (start >= 0 && start + 2 < at) parts.push(body.subarray(start, at))
      if (closes) return parts
      if (parts.length >= MOST_PARTS) throw unreadable('too-many-parts')
      start = line
    }
    // Else it is a line of content that begins like a delimiter. A line's end may begin the next delimiter.
    at = body.indexOf(delimiter, line)
  }
  throw unreadable('cut-off-body')
}

/** What ends the head of a part. Of a part without a head, the line end of its delimiter is half of it. */
export const BLANK_LINE = '\r\n\r\n'

function readPart(part: Buffer, files: ReadonlySet<string>): MultipartPart {
  const blank = part.indexOf(BLANK_LINE)
  const end = blank < 0 ? part.length : blank
  const head = knownHead(part.subarray(0, end), files)
  const content = part.subarray(end + BLANK_LINE.length)
  const { name, filename, mimetype } = head
  return { name, value: filename === undefined ? textOfPart(head, content) : { filename, mimetype, content } }
}

/** What the head of a part says. */
export interface PartHead {
  readonly name: string
  /** Of a file; undefined for a text. */
  readonly filename: string | undefined
  readonly mimetype: string
  readonly charset: string | undefined
}

/** A client begins the same field in the same way each time. */
const heads = perObject((_files: ReadonlySet<string>) => new Map<string, PartHead>())
const MOST_HEADS = 500
const LONGEST_HEAD = 300

function knownHead(block: Buffer, files: ReadonlySet<string>): PartHead {
  if (block.length > LONGEST_HEAD) return readPartHead(block, files)
  const known = heads(files)
  const text = block.toString('latin1')
  let head = known.get(text)
  if (head === undefined) {
    head = readPartHead(block, files)
    if (known.size >= MOST_HEADS) known.clear()
    known.set(text, head)
  }
  return head
}

/** @throws {UnreadableForm} for a head that declares no part of a form */
export function readPartHead(block: Buffer, files: ReadonlySet<string>): PartHead {
  const headers = headersOf(block.toString())
  const disposition = headers['content-disposition']
  const { value, parameters } = parseHeader(disposition ?? '')
  if (value !== 'form-data') throw unreadable('undeclared-part')
  const name = parameters.name ?? extended(parameters['name*']) ?? ''
  requirePlainPart(name, headers)
  const type = parseHeader(headers['content-type'] ?? '')
  const filename = parameters.filename ?? extended(parameters['filename*'])
  const isFile = filename !== undefined || files.has(name)
  return {
    name,
    filename: isFile ? basename(filename ?? '') : undefined,
    // RFC 2045, section 5.2.
    mimetype: type.value || 'text/plain',
    charset: type.parameters.charset,
  }
}

/** @throws {UnreadableForm} for what is no text, or not the JSON that it is declared as */
export function textOfPart({ name, mimetype, charset }: PartHead, content: Buffer): string {
  const text = decodeText(name, content, charset)
  return mimetype === 'application/json' ? textOfJson(text) : text
}

/** A name, perhaps white space (RFC 5322, section 4.5.8), a colon and a value, without a bare CR or LF. */
const HEADER = /^([^\s:]+)[ \t]*:([^\r\n]*)$/

/** By their names in lower case; of one that is sent twice, the first counts. Any other line is ignored. */
function headersOf(block: string): Readonly<Record<string, string | undefined>> {
  const headers: Record<string, string | undefined> = bareObject()
  // Of a header in several lines, only their ends are left out (RFC 5322, section 2.2.3).
  for (const line of block.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name, value = ''] = HEADER.exec(line) ?? []
    if (name !== undefined) headers[name.toLowerCase()] ??= trimmed(value)
  }
  return headers
}

/** A part of JSON as text, which all fields of this API are: a string as it is, anything else written out. */
function textOfJson(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    throw unreadable('unreadable-part')
  }
}

/** A parameter as `UTF-8''%C3%A5.png`, which form-data does not know, but some clients send (RFC 7578, section 4.2). */
function extended(parameter: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'/i.exec(parameter ?? '')
  if (parameter === undefined || encoded === null) return parameter
  const text = unescaped(parameter.slice(encoded[0].length), parameter)
  // No name has line ends.
  return /[\r\n]/.test(text) ? parameter : text
}

/** Uploaded names are never paths. */
function basename(filename: string): string {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  return name === '.' || name === '..' ? '' : name
}
