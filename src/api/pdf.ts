import { inflateSync } from 'node:zlib'

export type Pdf =
  | { readonly kind: 'damaged' | 'encrypted' }
  | { readonly kind: 'readable'; readonly documentCode: string | undefined }

/** Readers look for the header and the end within this many bytes. */
const MARGIN = 1024

export function isPdf(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, MARGIN)).includes('%PDF-')
}

/** Reads the last trailer, and the last `DocumentCode`; it looks at no page. */
export function inspectPdf(bytes: Uint8Array): Pdf {
  const text = latin1(bytes)
  const trailer = trailerOf(text)
  if (trailer === undefined) return { kind: 'damaged' }
  if (/\/Encrypt\b/.test(trailer)) return { kind: 'encrypted' }
  const codes = [text, ...unpackedObjects(bytes, text)].flatMap(codesIn)
  return { kind: 'readable', documentCode: codes.at(-1) }
}

/** In round brackets with escapes, or in hexadecimal digits. */
const CODE = /\/DocumentCode\s*(?:\(((?:[^()\\]|\\[\s\S])*)\)|<([\da-f\s]*)>)/gi

function codesIn(text: string): string[] {
  return Array.from(text.matchAll(CODE), ([, literal, digits = '']) =>
    decode(literal === undefined ? Buffer.from(digits.replaceAll(/\s/g, ''), 'hex') : unescapeString(literal)),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescapeString(text: string): Buffer {
  const plain = text.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([\s\S]))/g, (_, octal, endOfLine, character) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return endOfLine === undefined ? (ESCAPES[character] ?? character) : ''
  })
  return Buffer.from(plain, 'latin1')
}

/** By its byte order mark, or as Latin-1. */
function decode(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 3)
  if (mark.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes)
  return mark === 'efbbbf' ? new TextDecoder().decode(bytes) : bytes.toString('latin1')
}

/** Bounds for files that are made to take long. */
const MOST_STREAMS = 1_000
/** Bytes between the type of a stream and its contents. */
const LONGEST_HEAD = 1_000
const MOST_UNPACKED = 8 * 1024 * 1024

/** Since PDF 1.5, many objects may be in one compressed stream. */
function unpackedObjects(bytes: Uint8Array, text: string): string[] {
  const unpacked: string[] = []
  let left = MOST_UNPACKED
  for (const at of streamsIn(text)) {
    if (left <= 0) break
    try {
      const content = inflateSync(bytes.subarray(at), { maxOutputLength: left })
      unpacked.push(content.toString('latin1'))
      left -= content.length
    } catch {
      // Not compressed, so it is in the text already; or damaged, or too large.
      left -= 1024
    }
  }
  return unpacked
}

/** Where the contents of streams of objects begin, each within reach of its type. */
function* streamsIn(text: string): Generator<number> {
  let found = 0
  let stream = 0
  for (
    let type = text.indexOf('/ObjStm');
    type >= 0 && found < MOST_STREAMS;
    type = text.indexOf('/ObjStm', type + 1)
  ) {
    if (stream < type) stream = text.indexOf('stream', type)
    if (stream < 0) return
    const begin = text.indexOf('\n', stream) + 1
    if (stream - type > LONGEST_HEAD || begin === 0 || begin - stream > 'stream\r\n'.length) continue
    found++
    yield begin
  }
}

/** Comments may stand wherever white space may, and end with their line. */
function withoutComments(text: string): string {
  return text.replaceAll(/%[^\r\n]*/g, ' ')
}

/** The trailer of a table of cross-references, or the dictionary of a stream that replaces it. */
function trailerOf(text: string): string | undefined {
  const end = text.slice(-MARGIN)
  const said = /^startxref\s+(\d+)/.exec(withoutComments(end.slice(Math.max(0, end.lastIndexOf('startxref')))))?.[1]
  if (said === undefined) return undefined
  // Readers count from the header, or from the first byte.
  const header = Math.max(0, text.slice(0, MARGIN).indexOf('%PDF-'))
  return trailerAt(text, Number(said) + header) ?? (header > 0 ? trailerAt(text, Number(said)) : undefined)
}

function trailerAt(text: string, begin: number): string | undefined {
  const references = text.slice(begin)
  if (!/^\s*(?:xref|\d+\s+\d+\s+obj)/.test(withoutComments(references.slice(0, MARGIN)))) return undefined
  const upToNext = references.slice(0, Math.max(0, references.search(/startxref|stream/)))
  const end = upToNext.lastIndexOf('>>') + 2
  const trailer = upToNext.slice(0, end)
  const isWhole = end > 1 && /\/Root\b/.test(trailer) && withoutComments(upToNext.slice(end)).trim() === ''
  return isWhole && (trailer.includes('trailer') || !trailer.includes('xref')) ? trailer : undefined
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}
