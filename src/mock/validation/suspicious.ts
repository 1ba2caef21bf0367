import { BLANK } from '../../../schemas/common.js'
import { isObject, objectIn } from '../text/json.js'
import { lettersApart } from '../text/nearest.js'

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

/** Bytes of Windows-1252, of which Latin-1 is a part, by their characters. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
)
const NOT_ASCII = /[^\u0000-\u007f]{2,}/g

/** What a text says in which UTF-8 was read as Latin-1, such as `Zoë` for `ZoÃ«`; undefined for any other text. */
export function readAsUtf8(text: string): string | undefined {
  let isMisread = false
  const meant = text.replace(NOT_ASCII, (part) => {
    const bytes = Array.from(part, (character) => BYTES.get(character) ?? 0)
    try {
      const own = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
      isMisread ||= !bytes.includes(0)
      return bytes.includes(0) ? part : own
    } catch {
      return part
    }
  })
  return isMisread ? meant : undefined
}

/** A text without what a suspicion is about: in UTF-8, and without invisible characters and white space around it. */
export function cleaned(text: string): string {
  return (readAsUtf8(text) ?? text).replaceAll(EVERY_INVISIBLE, '').trim()
}

const REPLACEMENT = Buffer.from('\ufffd')
/** Bytes that are looked at, and replacement characters that no file has by chance. */
const LOOKED_AT = 64 * 1024
const MOST_BY_CHANCE = 4

/** True for a file of bytes that was decoded as text and encoded again. */
export function isDecoded(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, Math.min(LOOKED_AT, content.byteLength))
  let found = 0
  for (let at = bytes.indexOf(REPLACEMENT); at >= 0; at = bytes.indexOf(REPLACEMENT, at + REPLACEMENT.length)) {
    if (at === 0 || ++found > MOST_BY_CHANCE) return true
  }
  return false
}

/** The names of the mock's own preferences. */
export const PREFERENCES = ['code', 'expect', 'delay', 'scenario', 'fault'] as const

/** The preference that is surely meant by a name that is none of the mock's; other RFCs' are left alone. */
export function preferenceMeant(name: string): string | undefined {
  const word = name.toLowerCase()
  if (word === 'status') return 'code'
  if (word.length > 20 || PREFERENCES.some((one) => one === word)) return undefined
  return PREFERENCES.find((one) => lettersApart(word, one) <= (one.length > 5 ? 2 : 1))
}
