import { isUtf8 } from 'node:buffer'
import { BLANK } from '../contract/fields.js'
import { isObject, objectIn } from '../contract/json.js'
import { lettersApart } from '../contract/nearest.js'

/** A UUID in braces, as GUIDs are written, is none; nor is `Null`, which may be a surname. */
const PLACEHOLDER = /^(?:undefined|null|NaN|\[object \w+\]|<[^<>]+>|\$?\{+(?![\da-fA-F]{8}-)[^{}]*\}+|\$[A-Za-z_]\w*)$/

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value)
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && BLANK.test(value)
}

/** The value of a text that is surely JSON; `[2024]` may be plain text. */
export function jsonIn(text: string): object | undefined {
  const value = objectIn(text)
  const isSure = !Array.isArray(value) || value.some((one) => typeof one === 'string' || isObject(one))
  return isSure ? value : undefined
}

/** Zero-width characters and byte order marks; joiners between letters and in emoji are none of them. */
export const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]|^[\u200c\u200d]|[\u200c\u200d]$/
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'g')

/**
 * The characters of Windows-1252 for the bytes from 0x80 to 0x9f, which browsers read as Latin-1, too. Node's own
 * decoder does not know them before Node 22.
 */
const FROM_0X80 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const NOT_ASCII = /[^\u0000-\u007f]{2,}/g

/** Of these, people type quotation marks, dashes and signs, which may stand behind a capital letter as well. */
const TYPED = /[\u2018-\u201e\u2022\u2026\u2013\u2014\u2039\u203a\u20ac\u2122]/

/** What a text says in which UTF-8 was read as Latin-1, such as `Zoë` for `ZoÃ«`; undefined for any other text. */
export function readAsUtf8(text: string): string | undefined {
  let isMisread = false
  const meant = text.replace(NOT_ASCII, (part, offset: number) => {
    const bytes = Array.from(part, byteOf)
    const isInWord = /^\p{L}/u.test(text.slice(offset + part.length)) && !/[\u2019\u2013\u2014]$/.test(part)
    if (bytes.includes(undefined) || (part.length === 2 && TYPED.test(part) && !isInWord)) return part
    try {
      const own = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[]))
      isMisread = true
      return own
    } catch {
      return part
    }
  })
  // It may have happened twice.
  return isMisread ? (readAsUtf8(meant) ?? meant) : undefined
}

/** The byte that is read as a character, of those beyond ASCII. */
function byteOf(character: string): number | undefined {
  const code = character.charCodeAt(0)
  const at = FROM_0X80.indexOf(character)
  return at >= 0 ? 0x80 + at : code >= 0x80 && code <= 0xff ? code : undefined
}

/** A text as it was surely meant: in UTF-8, and without invisible characters and white space around it. */
export function cleaned(text: string): string {
  return (readAsUtf8(text) ?? text).replaceAll(EVERY_INVISIBLE, '').trim()
}

const REPLACEMENT = Buffer.from('\ufffd')
/** Bytes that are looked at, and replacement characters that no file has by chance. */
const LOOKED_AT = 64 * 1024
const MOST_BY_CHANCE = 4

/** True for a file of bytes that was decoded as text, in UTF-8 or Latin-1, and encoded again. */
export function isDecoded(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, Math.min(LOOKED_AT, content.byteLength))
  let found = 0
  for (let at = bytes.indexOf(REPLACEMENT); at >= 0; at = bytes.indexOf(REPLACEMENT, at + REPLACEMENT.length)) {
    if (at === 0 || ++found > MOST_BY_CHANCE) return true
  }
  const whole = bytes.subarray(0, bytes.findLastIndex((byte) => byte < 0x80) + 1)
  if (!isUtf8(whole)) return false
  const text = String(whole)
  // Text has none of these control characters.
  return MARKED_PDF.test(text) || (text.match(/[\u0080-\u009f]/g) ?? []).length > MOST_BY_CHANCE
}

/** The comment by which PDFs say that they are binary, in most of them the bytes E2 E3 CF D3. */
const MARKED_PDF = /^%PDF-[^\r\n]*[\r\n]+%(?:âãÏÓ|[^\r\n]*\ufffd)/

/** The names of the mock's own preferences. */
export const PREFERENCES = ['code', 'expect', 'delay', 'scenario', 'fault'] as const

/** The preference that is surely meant by a name; other RFCs' are left alone. */
export function preferenceMeant(name: string): string | undefined {
  if (name.length > 20) return undefined
  const word = name.toLowerCase()
  if (/^(?:status|outcome)$/.test(word)) return 'code'
  const [, exact] = /^(?:x|http|mock|status)[-_](.*)$/.exec(word) ?? []
  if (exact !== undefined) return PREFERENCES.find((one) => one === exact)
  return PREFERENCES.find(
    (one) => lettersApart(word, one) <= (one.length > 5 ? 2 : 1) || (word.length >= 4 && one.startsWith(word)),
  )
}
