import { isUtf8 } from 'node:buffer'
import { MOST_PARTS, unreadable } from './unreadable-body.js'

/** One part of a form, as its bytes show it. */
export interface SeenPart {
  /** By their names in lower case; of one that is sent twice, the first counts. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly content: Buffer
}

/** What a look at the bytes of a form shows. */
export interface FormLook {
  readonly parts: readonly SeenPart[]
  /** The body without the white space behind its delimiters (RFC 2046, section 5.1.1), which its reader cannot take. */
  readonly body: Buffer
}

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]
/** RFC 2046, section 5.1.1. */
const LONGEST_BOUNDARY = 70
const BLANK_LINE = '\r\n\r\n'

/**
 * Looks for what the reader of forms, @fastify/busboy, leaves out without a word, takes for something else, or waits for
 * in vain: a body that ends too soon, a part that is no field, a line of content that begins like a delimiter. All names,
 * values and files are the reader's: nothing of what is seen here is taken for one.
 * @throws {UnreadableBody} for a body that is not a well-formed form
 */
export function lookAtForm(body: Buffer, contentType: string): FormLook {
  const delimiter = delimiterOf(contentType)
  const parts: SeenPart[] = []
  // An empty body is an empty form.
  if (body.byteLength === 0) return { parts, body }
  const kept: Buffer[] = []
  let [start, from, isContent] = [-1, 0, false]
  // The first one needs no line before it.
  const opens = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
  for (let at = opens ? -2 : body.indexOf(delimiter), line = 0; at !== -1; at = body.indexOf(delimiter, line)) {
    const end = at + delimiter.length
    const closes = body[end] === DASH && body[end + 1] === DASH
    line = end
    while (body[line] === SPACE || body[line] === TAB) line++
    if (!closes && (body[line] !== CR || body[line + 1] !== LF)) {
      isContent = true
      continue
    }
    // .NET sends a form without fields as one part of nothing.
    if (start >= 0 && start + 2 < at) parts.push(seenPart(body.subarray(start + 2, at)))
    if (closes && isContent) throw unreadable('boundary-in-content')
    if (closes) return { parts, body: joined(kept, body.subarray(from)) }
    if (parts.length >= MOST_PARTS) throw unreadable('too-many-parts')
    start = line
    if (line === end) continue
    kept.push(body.subarray(from, end))
    from = line
  }
  throw unreadable('cut-off-body')
}

function delimiterOf(contentType: string): Buffer {
  const [, quoted, bare = ''] = /;[ \t]*boundary[ \t]*=[ \t]*(?:"([^"]*)"|([^;]*))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare.trim()
  if (boundary === '') throw unreadable('no-boundary')
  if (boundary.length > LONGEST_BOUNDARY) throw unreadable('boundary-too-long')
  return Buffer.from(`\r\n--${boundary}`, 'latin1')
}

/** `block`: from behind the line of the delimiter up to the next one. */
function seenPart(block: Buffer): SeenPart {
  // Of a part without a head, the line end of its delimiter is half of the blank line.
  const headless = block[0] === CR && block[1] === LF
  const blank = headless ? -2 : block.indexOf(BLANK_LINE)
  const headers = blank < 0 ? {} : headersOf(block.toString('latin1', 0, blank))
  if (!/^form-data[ \t]*(?:;|$)/i.test(headers['content-disposition'] ?? '')) throw unreadable('undeclared-part')
  return { headers, content: block.subarray(blank + BLANK_LINE.length) }
}

/** As the reader has them: what is no header ends the head. */
function headersOf(head: string): SeenPart['headers'] {
  const headers: Record<string, string | undefined> = Object.create(null)
  for (const line of head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name, value = ''] = /^([^:\r\n]+):([^\r\n]*)$/.exec(line) ?? []
    if (name === undefined) break
    headers[name.toLowerCase()] ??= value.trim()
  }
  return headers
}

/** The charsets that the reader knows beside UTF-8, as they are mostly written. */
const ONE_BYTE = /^(?:us-ascii|ascii|latin1|iso[-_]?8859-1|windows-1252|cp1252)$/i

/** The charset of a text that the reader cannot have got right; undefined where it could. */
export function wrongCharset({ headers, content }: SeenPart): string | undefined {
  const [, charset = 'utf-8'] = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? []
  if (ONE_BYTE.test(charset) || (/^utf-?8$/i.test(charset) && isUtf8(content))) return undefined
  return charset
}

function joined(pieces: readonly Buffer[], last: Buffer): Buffer {
  return pieces.length === 0 ? last : Buffer.concat([...pieces, last])
}
