/// <reference path="./windows-1252.d.ts" />
import { isUtf8 } from 'node:buffer'
import { encode } from 'windows-1252'

/** `Zoë` for `ZoÃ«`: UTF-8 that was decoded as Windows-1252 or Latin-1; undefined for other texts. */
export function readAsUtf8(text: string, isSure = isScrambled): string | undefined {
  if (!NOT_ASCII.test(text)) return undefined
  const bytes = bytesOf(text)
  if (bytes === undefined || !isUtf8(bytes)) return undefined
  const meant = String(bytes)
  // It may have happened twice.
  const again = meant.replaceAll(/\S+/g, (word) => readAsUtf8(word, () => true) ?? word)
  if (again !== meant) return again
  const isShort = CONTROL.test(text)
  return meant.split(/\s+/).every((word) => isWord(word, isShort)) && isSure(text, meant) ? meant : undefined
}

const NOT_ASCII = /[^\u0000-\u007f]/
/** No text has these. */
const CONTROL = /[\u0080-\u009f]/

function bytesOf(text: string): Buffer | undefined {
  try {
    return Buffer.from(encode(text))
  } catch {
    return /^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined
  }
}

const SCRIPTS: readonly RegExp[] = [
  /[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0148\u014a-\u017e\u018f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01e6-\u01e9\u0218-\u021b\u0259\u1e00-\u1eff]/,
  /[\u0386\u0388-\u03ce]/,
  /[\u0401-\u045f\u0490-\u0493\u0496\u0497\u049a\u049b\u04a2\u04a3\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9]/,
  /[\u0531-\u0556\u0561-\u0587]/,
  /[\u05d0-\u05ea]/,
  /[\u0621-\u064a\u0671-\u06d3]/,
  // Of India and its neighbours; their vowels are signs.
  ...[
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Ethiopic',
  ].map((script) => new RegExp(`\\p{Script=${script}}`, 'u')),
  /\p{Script=Georgian}/u,
  /[\u3005\u3041-\u30ff\u4e00-\u9fff]/,
  /[\uac00-\ud7a3]/,
]
const [LATIN] = SCRIPTS

const MARK =
  /[\u00a0-\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b7\u00bb\u00bf\u2013\u2014\u2018-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u3000-\u3002]|\p{Emoji_Presentation}/u

/** `isShort`: a single letter counts in any script. */
function isWord(word: string, isShort: boolean): boolean {
  const letters: readonly string[] = word.match(/[\p{L}\p{M}]/gu) ?? []
  if (!Array.from(word).every((one) => !NOT_ASCII.test(one) || MARK.test(one) || letters.includes(one))) return false
  const script = SCRIPTS.find((one) => letters.every((letter) => one.test(letter)))
  return script !== undefined && (isShort || script === LATIN || letters.length > 1)
}

const BEHIND =
  /[\u00a0\u00a7\u00a9\u00aa\u00ab\u00ad\u00ae\u00b0\u00b2\u00b3\u00b7\u00b9-\u00bb\u2013\u2014\u2018-\u201e\u2020\u2022\u2026\u2039\u203a\u20ac\u2122]/
const BETWEEN = /[\u2013\u2014\u2019]/

/** True if a character was decoded to symbols that no word contains. Letters alone may be a name. */
function isScrambled(text: string, meant: string): boolean {
  let at = 0
  for (const character of meant) {
    const length = Buffer.byteLength(character)
    const [lead = '', ...rest] = text.slice(at, at + length)
    const signs = rest.filter((one) => !/\p{L}/u.test(one) || /[ªºµ]/.test(one))
    const before = text.slice(0, at)
    at += length
    if (signs.length === 0) continue
    if (length > 2 || !signs.some((sign) => BEHIND.test(sign))) return true
    // A capital letter does not follow a small one, nor a digit.
    if (/[\p{Ll}\d]$/u.test(before) && /\p{Lu}/u.test(lead)) return true
    if (/^\p{L}/u.test(text.slice(at)) && !signs.some((sign) => BETWEEN.test(sign))) return true
  }
  return false
}
