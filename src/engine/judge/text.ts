import { decodeHTMLStrict } from 'entities'
import { BLANK } from '../contract/fields.js'
import { hasManyValues, isObject, jsonOr, objectIn } from '../contract/json.js'
import { safeDecodeURIComponent } from './decode.js'
import { repairMojibake } from './mojibake.js'

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && BLANK.test(value)
}

/** The object or list in a JSON text; undefined for a text such as `[2024]`, which may be plain. */
export function jsonIn(text: string): object | undefined {
  const value = hasManyValues(text) ? undefined : objectIn(text)
  const isJson = !Array.isArray(value) || value.some((item) => typeof item === 'string' || isObject(item))
  return isJson ? value : undefined
}

/** The text in a JSON string such as `"Zoé"`. */
export function textInQuotes(value: unknown): string | undefined {
  const text = /^".*"$/s.test(String(value)) ? jsonOr(String(value), undefined) : undefined
  return typeof text === 'string' ? text : undefined
}

const REPAIRS = {
  'placeholder-value': (text, isFreeText) =>
    isPlaceholder(text, isFreeText) || VARIABLE_INSIDE.test(text) ? null : undefined,
  'printed-value': (text) => (isPrintedValue(text) ? null : undefined),
  'replaced-character': (text) => (/\ufffd|ï¿½/.test(text) || QUESTION_MARKS.test(text) ? null : undefined),
  'misread-text': (text) => repairMojibake(text),
  'escaped-text': (text) => removeEscapes(text),
  'invisible-character': removeInvisible,
  'padded-value': (text) => (text.trim() === text ? undefined : text.trim()),
} satisfies Readonly<Record<string, Repair>>

/** Returns the intended text, null if it is lost, or undefined if the kind does not apply. */
type Repair = (text: string, isFreeText?: boolean) => string | null | undefined

type TextKind = keyof typeof REPAIRS
const repairs = Object.entries(REPAIRS) as [TextKind, Repair][]

interface TextSlip {
  readonly kind: TextKind
  readonly intendedValue: string | undefined
  readonly isRepairable: boolean
}

const LONGEST_TEXT = 1_000

/** Texts without slips: no placeholder, no two letters beyond ASCII (perhaps mojibake), no invisible letter. */
const PLAIN =
  /^(?!(?:undefined|null|nullptr|nil|none|nan|array|invalid|instance|system|optional|stdclass|process|import)\b|__)(?!.*(?:[\u115f\u1160\u3164\uffa0ªºµ]|[^\u0000-\u007f]{2}))[\w\p{L}](?:[\w\p{L}.+-]|[ '](?! |$))*(?:@[\w-]+\.[\w.-]+)?$/iu

export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

export function findTextSlip(whole: string, isFreeText: boolean): TextSlip | undefined {
  if (isBlank(whole)) return undefined
  const text = whole.length <= LONGEST_TEXT ? whole : whole.slice(0, LONGEST_TEXT) + (/\s$/.test(whole) ? ' ' : '')
  for (const [kind, repair] of repairs) {
    const repaired = repair(text, isFreeText)
    if (repaired === undefined) continue
    // The text may be an escaped placeholder.
    const inner = repaired === null ? undefined : findTextSlip(repaired, isFreeText)
    if (inner?.isRepairable === false) return inner
    const isLost = repaired === null || isBlank(repaired)
    return { kind, isRepairable: !isLost, intendedValue: isLost ? undefined : cleanText(repaired) }
  }
  return undefined
}

export function isRepairable(text: string): boolean {
  return repairs.every(([, repair]) => repair(text) !== null)
}

export function cleanText(text: string): string {
  const clean = repairs.reduce((before, [, repair]) => repair(before) ?? before, text)
  return clean === text ? text : cleanText(clean)
}

/** As in `M?ller`, but not in a sentence or a URL. */
const QUESTION_MARKS = /^\?{2,}|^[^./=\u0080-\uffff]*(?:[A-Za-z]\?[a-z]|[A-Z]\?[A-Z]{2})[^./=\u0080-\uffff]*$/
/** Texts that programs print for a missing value. */
const EMPTY_VALUE =
  /^(?:undefined|null|NaN|\[object \w+\])(?:[ ,;]+(?:undefined|null|NaN|\[object \w+\]))*$|^(?:\(null\)|<[^<>]+>|Invalid [Dd]ate(?:Time)?|nullptr|"(?:null|undefined)"|\[(?:null)?\]|Optional\.empty|stdClass Object|#(?:REF!|NAME\?|N\/A|VALUE!|DIV\/0!))$/
/** A template variable alone, such as `{name}`; a UUID in braces is none. */
const VARIABLE =
  /^(?:\$?\{+(?![\da-fA-F]{8}-)[^{}"':=,]*\}+|\$[A-Za-z_]\w*|=?\{\{.*\}\}|[$#@]\{[^}]*\}|\$\(.*\)|\$[Ee][Nn][Vv]:.*|%(?=[A-Z]|\w*_)[A-Za-z_]\w*%|%(?:\d\$)?[sd@]|\[(?:[A-Za-z]+_\w+|\w+(?:Name|Email|Id))\]|(?:process|import\.meta)\.env\.\w+|:[A-Za-z]\w+|\*\|\w+\|\*|__[A-Z][A-Z\d_]*__|«(?=\w*_|[a-z]+[A-Z])\w+»)$/
const EMPTY_VALUE_WORD = /^(?:none|nil|null|nan|array)$/i

export function isPlaceholder(text: string, isFreeText = true): boolean {
  return EMPTY_VALUE.test(text) || VARIABLE.test(text) || (!isFreeText && EMPTY_VALUE_WORD.test(text))
}

const VARIABLE_INSIDE =
  /\{\{[^{}]*\}\}|[$#@]\{[^{}]*\}|\$\([A-Za-z_][\w.]*\)|\$[Ee][Nn][Vv]:\w|%[A-Z_][A-Z\d_]{2,}%|<%[^%]*%>|\[\[[A-Za-z][\w.]*\]\]|<[A-Z][A-Z\d_]+>|%\{\w+\}|%\(\w+\)[sd]/

const PRINTED_OBJECT: readonly RegExp[] = [
  // Swift, Rust, Haskell and Dart
  /^(?:Optional|Some|Ok)(?:\(.*\)|\[.*\])$|^Just ".*"$/s,
  /^Instance of '[^']*'$/,
  // .NET
  /^System\.(?:[\w.]+(?:`\d+)?\[.*\]|(?:[\w]+\.)*(?:Object|String|DateTime|Stream|MemoryStream|FileStream|Task))$/s,
  // Java, with the hash of the object
  /^(?:\[+[A-Z]|(?:\[+L)?(?:[a-z][\w$]*\.)+[A-Z][\w$.]*;?)@(?=[a-f]*\d)[\da-f]{1,8}$/,
  /^[A-Z][\w$]*@(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,8}$/,
  // Python and Ruby
  /^<(?=.*>$).*\b(?:at |:)0x[\da-f]|^<bound method |^\('[^']*',.*\)$|^[A-Z]\w* object \(\d+\)$/is,
  /^#<.*>$|^b(?:'[^']*'|"[^"]*")$/s,
  // JavaScript
  /^(?:async )?(?:function\b *\w*\(|\([\w, ]*\) *=>)/,
  /^(?:Map|Set)\(\d+\) \{.*\}$|^Promise \{.*\}$|^Symbol\(\w*\)$|^\[(?:Async)?Function(?:: \w+| \(anonymous\))\]$/s,
  // Go
  /^%!\w\(.*\)$|^&\{.*\}$/s,
  // PHP
  /^(?:Array|\w+ Object)\s*\((?=.*\)\s*$).*=>/s,
  // Dictionaries, lists and records of Python, Ruby, Java, Go, Swift or PHP
  /^\{ *(?:'[^']*'|"[^"]*"|:?\w+) *(?::|=>|=)[^/].*\}$/s,
  /^\[ *(?:'[^']*'|"[^"]*") *(?::|=>).*\]$/s,
  /^\[ *\{.*\} *\]$/s,
  /^map\[.*\]$/s,
  /^%?[A-Z]\w*(?:[([]| ?\{) ?[A-Za-z_]\w*(?: ?= ?|: ?)[^)}\]]*[)}\]]$/s,
  /^(?:Decimal|ObjectId|UUID)\(['"][^'"]*['"]\)$|^O:\d+:".*\}$/s,
  /^\[ *(?:'[^']*'(?:, *)?)+\]$/,
]

export function isPrintedValue(text: string): boolean {
  return jsonIn(text) === undefined && PRINTED_OBJECT.some((pattern) => pattern.test(text))
}

const KEY = /(?:'([\w[\]]+)'|"([\w[\]]+)"|\b(\w+)) *(?::|=>|=)/g

export function printedKeys(text: string): string[] {
  if (text.length > LONGEST_TEXT || !isPrintedValue(text)) return []
  return Array.from(text.matchAll(KEY), ([, single, double, unquoted]) => single ?? double ?? unquoted ?? '')
}

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/
const CODE_UNIT =
  /\\{1,2}(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([89a-fA-F][\da-fA-F]))|%u([\da-fA-F]{4})/g
const PERCENT = /(.?)(?:%[\da-fA-F]{2})+/gs

function removeEscapes(text: string, levels = 5): string | null | undefined {
  let decoded = ENTITY.test(text) ? decodeHTMLStrict(text) : text
  decoded = decoded.replaceAll(CODE_UNIT, (match, ...hex: (string | undefined)[]) => {
    const code = Number.parseInt(hex.slice(0, 5).join(''), 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
  // As by PHP's `addslashes`
  decoded = decoded.replaceAll(/(?<=\p{L})\\(?=['"])/gu, '')
  if (Array.from(text.matchAll(PERCENT)).some(([all, before = '']) => isEscape(all.slice(before.length), before)))
    decoded = safeDecodeURIComponent(decoded)
  if (decoded === text) return undefined
  // Give up: no real text is escaped more often.
  const inner = levels === 0 ? null : removeEscapes(decoded, levels - 1)
  return inner === undefined ? decoded : inner
}

/** Letters and digits need no escape. In `50%20`, the `%` may be a percent sign, but not in `50%2F`. */
function isEscape(text: string, before: string): boolean {
  const decoded = safeDecodeURIComponent(text)
  return decoded !== text && !/^[\w.~-]/.test(decoded) && (!/\d/.test(before) || /[A-Fa-f]|.{4}/.test(text))
}

const scripts = (...names: readonly string[]) => names.map((name) => `\\p{Script=${name}}`).join('')

const INVISIBLE: readonly (readonly [characters: RegExp, scripts?: RegExp])[] = [
  // A soft hyphen, fillers, word joiners, the byte order mark, annotations, obsolete formats
  [/[\u034f\u00ad\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\ufff9-\ufffb\uffa0\u{e0001}]/gu],
  [/\u180e/g, /\p{Script=Mongolian}/u],
  [/[\u115f\u1160]/g, /\p{Script=Hangul}/u],
  [/[\u17b4\u17b5]/g, /\p{Script=Khmer}/u],
  [
    /[\u200c\u200d]/g,
    new RegExp(
      `[\\p{Extended_Pictographic}${scripts('Adlam', 'Arabic', 'Bengali', 'Chakma', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam', 'Meetei_Mayek', 'Mongolian', 'Myanmar', 'Nko', 'Oriya', 'Sinhala', 'Syriac', 'Tamil', 'Telugu', 'Tibetan')}]`,
      'u',
    ),
  ],
  // Possible line breaks
  [/\u200b/g, new RegExp(`[${scripts('Balinese', 'Javanese', 'Khmer', 'Lao', 'Myanmar', 'Thai', 'Tibetan')}]`, 'u')],
  // Direction marks, embeddings and isolates
  [
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    new RegExp(`[${scripts('Arabic', 'Hebrew', 'Nko', 'Syriac', 'Thaana')}]`, 'u'),
  ],
  // Variation selectors and flag tags
  [/[\ufe0e\ufe0f\u{e0020}-\u{e007f}]/gu, /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}]/u],
]
const MAY_BE_INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

function removeInvisible(text: string): string | undefined {
  if (!MAY_BE_INVISIBLE.test(text)) return undefined
  const removable = INVISIBLE.filter(([, neededIn]) => neededIn?.test(text) !== true)
  const visible = removable.reduce((before, [characters]) => before.replaceAll(characters, ''), text)
  return visible === text ? undefined : visible
}
