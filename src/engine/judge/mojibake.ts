/// <reference path="./windows-1252.d.ts" />
import { isUtf8 } from 'node:buffer'
import { decode } from 'windows-1252'

/** `Zoë` for `ZoÃ«`: UTF-8 that was decoded in an encoding with one byte per character; undefined for other texts. */
export function repairMojibake(text: string): string | undefined {
  if (!NOT_ASCII.test(text)) return undefined
  encodings ??= loadEncodings()
  return encodings.flatMap((encoding) => decodeAgain(text, encoding) ?? [])[0]
}

type BytesByCharacter = ReadonlyMap<string, number>
let encodings: readonly BytesByCharacter[] | undefined

function decodeAgain(text: string, encoding: BytesByCharacter, isMojibake = hasScrambledCharacter): string | undefined {
  if (!NOT_ASCII.test(text)) return undefined
  const bytes = Array.from(text, (character) => encoding.get(character) ?? NaN)
  if (bytes.includes(NaN) || !isUtf8(Buffer.from(bytes))) return undefined
  const decoded = String(Buffer.from(bytes))
  // The text may have been decoded twice.
  const decodedTwice = decoded.replaceAll(/\S+/g, (word) => decodeAgain(word, encoding, () => true) ?? word)
  if (decodedTwice !== decoded) return decodedTwice
  const allowsSingleLetters = CONTROL.test(text)
  const isReadable = decoded.split(/\s+/).every((word) => isWord(word, allowsSingleLetters))
  return isReadable && isMojibake(text, decoded) ? decoded : undefined
}

const NOT_ASCII = /[^\u0000-\u007f]/
/** Control characters that no text contains. */
const CONTROL = /[\u0080-\u009f]/

/** The second halves of the code pages 437 and 850, which consoles of Windows use. */
const CONSOLES = [
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
]

function loadEncodings(): readonly BytesByCharacter[] {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const latin1 = bytes.toString('latin1')
  const names = 'windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 koi8-r ibm866 macintosh'
  const others = names.split(' ').map((name) => new TextDecoder(name).decode(bytes))
  const all = [decode(bytes), latin1, ...others, ...CONSOLES.map((characters) => latin1.slice(0, 128) + characters)]
  return all.map((characters) => new Map(Array.from(characters, (character, byte) => [character, byte])))
}

const SCRIPTS: readonly RegExp[] = [
  /[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u0148\u014a-\u017e\u018f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01e6-\u01e9\u0218-\u021b\u0259\u1e00-\u1eff]/,
  /[\u0386\u0388-\u03ce]/,
  /[\u0401-\u045f\u0490-\u0493\u0496\u0497\u049a\u049b\u04a2\u04a3\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9]/,
  /[\u0531-\u0556\u0561-\u0587]/,
  /[\u05d0-\u05ea]/,
  /[\u0621-\u064a\u0671-\u06d3]/,
  // In some of these, vowels are marks.
  ...'Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Ethiopic Georgian'
    .split(' ')
    .map((script) => new RegExp(`\\p{Script=${script}}`, 'u')),
  /[\u3005\u3041-\u30ff\u4e00-\u9fff]/,
  /[\uac00-\ud7a3]/,
]
const [LATIN] = SCRIPTS

const MARK =
  /[\u00a0-\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b7\u00bb\u00bf\u2013\u2014\u2018-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u3000-\u3002]|\p{Emoji_Presentation}/u

function isWord(word: string, allowsSingleLetters: boolean): boolean {
  const letters: readonly string[] = word.match(/[\p{L}\p{M}]/gu) ?? []
  const isTextCharacter = (character: string) =>
    !NOT_ASCII.test(character) || MARK.test(character) || letters.includes(character)
  if (!Array.from(word).every(isTextCharacter)) return false
  const script = SCRIPTS.find((pattern) => letters.every((letter) => pattern.test(letter)))
  return script !== undefined && (allowsSingleLetters || script === LATIN || Buffer.byteLength(letters.join('')) > 2)
}

/** Symbols that may follow a letter. */
const AFTER_LETTER =
  /[\u00a0\u00a7\u00a9\u00aa\u00ab\u00ad\u00ae\u00b0\u00b2\u00b3\u00b7\u00b9-\u00bb\u2013\u2014\u2018-\u201e\u2020\u2022\u2026\u2039\u203a\u20ac\u2122]/
/** Symbols that may be between two letters. */
const BETWEEN_LETTERS = /[\u2013\u2014\u2019]/

const MIXED_ALPHABETS = /[A-Za-z](?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}[A-Za-z]/u
const LATIN_BEYOND_ASCII = /[^\P{Script=Latin}\u0000-\u007f]/u
/** Letters of another alphabet may form one character of UTF-8 by chance, but not two. */
const TWO_CHARACTERS = /[^\u0000-\u007f].*[^\u0000-\u007f]/u
const BROKEN_WORD = /\p{L}[^\p{Ll}\s.,()'’-]/u

/** True if a decoded character appears in the text as symbols that no word contains. Letters alone may be a name. */
function hasScrambledCharacter(text: string, decoded: string): boolean {
  if (MIXED_ALPHABETS.test(text)) return true
  if (!LATIN_BEYOND_ASCII.test(text) && TWO_CHARACTERS.test(decoded) && BROKEN_WORD.test(text)) return true
  let at = 0
  for (const character of decoded) {
    const length = Buffer.byteLength(character)
    const [lead = '', ...rest] = text.slice(at, at + length)
    const symbols = rest.filter((symbol) => !/\p{L}/u.test(symbol) || /[ªºµ]/.test(symbol))
    const before = text.slice(0, at)
    at += length
    if (length === 1) continue
    // No capital letter follows a small letter; a quote or a dash may begin a word.
    if (!/[\p{L}«“‘–]/u.test(lead) || (/\p{Lu}/u.test(lead) && /\p{Ll}$/u.test(before))) return true
    if (symbols.length === 0) continue
    if (length > 2 || !symbols.some((symbol) => AFTER_LETTER.test(symbol))) return true
    if (/^\p{L}/u.test(text.slice(at)) && !symbols.some((symbol) => BETWEEN_LETTERS.test(symbol))) return true
  }
  return false
}
