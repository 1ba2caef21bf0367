import { isUtf8 } from 'node:buffer'
import type { UploadedFile } from '../contract/fields.js'
import { quote } from '../contract/wording.js'
import { isUpload } from './parameters.js'
import { findTextSlip, isPrintedValue } from './text.js'

export interface FileProblem {
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly isStillAccepted?: true
}

const INSPECTED_CHARACTERS = 200
const SMALLEST_FILE = 64
const LONGEST_PATH = 64

/** A path as returned by browsers and file pickers, or a URL of a file. */
const PATH =
  /^["'<@]?(?:[A-Za-z]:[\\/]|\\\\\w|[~.]{0,2}\/[\w.~ -]+(?:[/.]|$)|(?:file|content|ph|assets-library|https?):\/\/|blob:|\{ ?"(?:uri|path)":)|^@[^\s@]+\.\w{2,4}$|^File: '/

const FILE_NAME = /^[^\r\n]{1,60}\.\w{2,4}$/

const TEXT_FORMS: readonly RegExp[] = [
  // A data URL, even an empty one
  /^["']?data:(?:[\w.+-]+\/[\w.+-]+)?(?:[;,]|$)/i,
  // The beginning of an image or a PDF in base64, and any longer base64
  /^["']?(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|PHN2Zy|PD94bWw|Qk0[\w+/]{6})/,
  /^["']?(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[\w+/-]{60,}(?:\r?\n[\w+/-]+)*={0,2}["']?\s*$/,
  // Bytes as numbers: printed, as JSON, or in hexadecimal
  /^<Buffer\b|^\{\s*"(?:type":\s*"Buffer"|0":\s*\d)|^\{ ?length ?= ?\d|^(?:Uint8Array|ArrayBuffer|bytearray)\b|^[[(]? ?-?\d{1,3}(?:, ?-?\d{1,3}){3}|^\[\d{1,3}(?: \d{1,3}){3}/,
  /^(?:0x|\\x)?(?:25[ :,]?50[ :,]?44|89[ :,]?50[ :,]?4e|ff[ :,]?d8[ :,]?ff|47[ :,]?49[ :,]?46)[ :,]?[\da-f]/i,
  /^\\x[\da-f]{2}|^\d+ bytes$/i,
  /^b(?:'.*'?|".*"?)$/s,
  /^<(?:_io\.|File\b|Blob\b|FileStorage\b|tempfile\.)|^\[object (?:File|Blob|FileList|ArrayBuffer|Uint8Array)\]$/,
]

const MARKUP = /^\s*<(?:\?xml|!|svg|\w+:svg)/i

/** Undefined also for a file without its content, which the journal does not keep. */
export function findFileProblem(name: string, file: unknown): FileProblem | undefined {
  if (!isUpload(file) || !('content' in file)) return undefined
  const { filename, content } = file as UploadedFile
  const beginning = content.toString('utf8', 0, INSPECTED_CHARACTERS)
  const send = `-F '${name}=@FILE'`
  if (content.byteLength < SMALLEST_FILE && !MARKUP.test(beginning) && isPlaceholderText(beginning)) {
    const message = `'${name}' is the text ${quote(beginning)}, instead of a file: ${isPrintedValue(beginning) ? 'a program prints that for an object' : 'a variable was probably unset or not replaced'}.`
    return { code: 'placeholder-value', message, fix: `Upload the file: ${send}.` }
  }
  if (isFileAsText(beginning)) {
    const message = `'${name}' contains base64 or another text form of a file, ${quote(beginning.slice(0, 24))}, instead of its bytes.`
    return { code: 'file-as-text', message, fix: `Upload the file: ${send}.` }
  }
  if (PATH.test(beginning) || (filename === '' && FILE_NAME.test(beginning))) {
    const message = `'${name}' is the path ${quote(beginning.slice(0, LONGEST_PATH))}, instead of the file's bytes.`
    return { code: 'path-as-file', message, fix: `Send the file itself, such as input.files[0]: ${send}.` }
  }
  if (wasDecodedAsText(content)) {
    const message = `The bytes of '${name}' were read as text and written again, which destroyed them.`
    return { code: 'file-decoded', message, fix: `Send the file as it is, without reading it as text: ${send}.` }
  }
  if (filename !== '') return undefined
  const message = `The part '${name}' has no file name: most servers treat it as a text field.`
  return { code: 'nameless-file', message, fix: `Send it as a file: ${send}.`, isStillAccepted: true }
}

export function isFileAsText(text: string): boolean {
  const beginning = text.slice(0, INSPECTED_CHARACTERS).trimStart()
  return TEXT_FORMS.some((pattern) => pattern.test(beginning))
}

function isPlaceholderText(text: string): boolean {
  if (isFileAsText(text) || PATH.test(text)) return false
  const kind = findTextSlip(text, false)?.kind
  return kind === 'placeholder-value' || kind === 'printed-value'
}

export const FILE_SIGNATURE =
  /^(?:%PDF-|[\ufffd\u0089]PNG\r|GIF8[79]a|RIFF.{0,8}WEBP|\ufffd{3,4}.{0,4}(?:JFIF|Exif)|<svg\b)/s

const REPLACEMENT = Buffer.from('\ufffd')
const INSPECTED_BYTES = 64 * 1024
/** Replacement and control characters that bytes may contain by chance. */
const MAX_BY_CHANCE = 4

function wasDecodedAsText(content: Buffer): boolean {
  const bytes = content.subarray(0, INSPECTED_BYTES)
  let count = 0
  for (let at = bytes.indexOf(REPLACEMENT); at >= 0; at = bytes.indexOf(REPLACEMENT, at + REPLACEMENT.length))
    if (at === 0 || ++count > MAX_BY_CHANCE) return true
  const wholeCharacters = bytes.subarray(0, bytes.findLastIndex((byte) => byte < 0x80) + 1)
  if (!isUtf8(wholeCharacters)) return false
  const text = String(wholeCharacters)
  return MARKED_PDF.test(text) || (text.match(/[\u0080-\u009f]/g) ?? []).length > MAX_BY_CHANCE
}

/** The comment by which a PDF marks itself as binary. */
const MARKED_PDF = /^%PDF-[^\r\n]*[\r\n]+%(?:âãÏÓ|[^\r\n]*\ufffd)/
