import { decodeHTMLStrict } from 'entities'
import { BLANK } from '../contract/fields.js'
import { isObject, objectIn } from '../contract/json.js'
import { safeDecodeURIComponent } from './decode.js'
import { readAsUtf8 } from './misread.js'

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && BLANK.test(value)
}

/** The object or list in a JSON text; `[2024]` may be plain text. */
export function jsonIn(text: string): object | undefined {
  const value = objectIn(text)
  const isSure = !Array.isArray(value) || value.some((one) => typeof one === 'string' || isObject(one))
  return isSure ? value : undefined
}

export interface TextField {
  readonly part: 'path' | 'query' | 'form'
  /** True for names and keywords: `None` is a word. */
  readonly takesWords: boolean
}

const KINDS = {
  'placeholder-value': (text, field) => nullIf(isPlaceholder(text, field) || UNFILLED.test(text)),
  'printed-value': (text) => nullIf(isPrinted(text)),
  'replaced-character': (text) => nullIf(text.includes('\ufffd')),
  'misread-text': (text) => readAsUtf8(text),
  'escaped-text': unescaped,
  'invisible-character': withoutInvisible,
  'padded-value': (text) => (text.trim() === text ? undefined : text.trim()),
} satisfies Readonly<Record<string, Repair>>

/** Returns the intended text, null if it is lost, or undefined if the kind does not apply. */
type Repair = (text: string, field?: TextField) => string | null | undefined

export type TextKind = keyof typeof KINDS
const kinds = Object.entries(KINDS) as [TextKind, Repair][]

const LONGEST_TEXT = 1_000

/** Most texts: words, numbers, identifiers and addresses, without letters that are invisible or look like signs. */
const PLAIN =
  /^(?!(?:undefined|null|nullptr|nil|none|nan|array|invalid|instance|system|optional|stdclass|process|import)\b)(?![\u115f\u1160\u3164\uffa0ªºµ])[\w\p{L}](?:(?![\u115f\u1160\u3164\uffa0ªºµ])[\w\p{L}.+-]|[ '](?! |$))*(?:@[\w-]+\.[\w.-]+)?$/iu

export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

export function oddText(whole: string, field: TextField): readonly [kind: TextKind, meant: string | null] | undefined {
  if (isBlank(whole)) return undefined
  const value = whole.length <= LONGEST_TEXT ? whole : whole.slice(0, LONGEST_TEXT) + (/\s$/.test(whole) ? ' ' : '')
  for (const [kind, repair] of kinds) {
    const meant = repair(value, field)
    if (meant === undefined) continue
    // A placeholder may be escaped as well.
    const behind = meant === null ? undefined : oddText(meant, field)
    if (behind?.[1] === null) return behind
    return [kind, meant === null || isBlank(meant) ? null : cleaned(meant)]
  }
  return undefined
}

export function isRepairable(text: string): boolean {
  return kinds.every(([, repair]) => repair(text) !== null)
}

export function cleaned(text: string): string {
  const clean = kinds.reduce((one, [, repair]) => repair(one) ?? one, text)
  return clean === text ? text : cleaned(clean)
}

function nullIf(isLost: boolean): null | undefined {
  return isLost ? null : undefined
}

/** Values that programs print for nothing; a UUID in braces is a GUID. */
const NOTHING =
  /^(?:undefined|null|NaN|\[object \w+\])(?:[ ,;]+(?:undefined|null|NaN|\[object \w+\]))*$|^(?:\(null\)|<[^<>]+>|Invalid [Dd]ate(?:Time)?|nullptr|"(?:null|undefined)"|\[(?:null)?\]|Optional\.empty|stdClass Object)$/
const VARIABLE =
  /^(?:\$?\{+(?![\da-fA-F]{8}-)[^{}"':=,]*\}+|\$[A-Za-z_]\w*|=?\{\{.*\}\}|[$#@]\{[^}]*\}|\$\(.*\)|\$[Ee][Nn][Vv]:.*|%[A-Za-z_]\w*%|%[sd@]|(?:process|import\.meta)\.env\.\w+)$/
const WORDS_FOR_NOTHING = /^(?:none|nil|null|nan|array)$/i
const PATH_VARIABLE = /^:[A-Za-z]\w*$/

export function isPlaceholder(text: string, field?: TextField): boolean {
  if (NOTHING.test(text) || VARIABLE.test(text)) return true
  return (
    field !== undefined &&
    ((!field.takesWords && WORDS_FOR_NOTHING.test(text)) || (field.part === 'path' && PATH_VARIABLE.test(text)))
  )
}

const UNFILLED =
  /\{\{[^{}]*\}\}|[$#@]\{[^{}]*\}|\$\([A-Za-z_][\w.]*\)|\$[Ee][Nn][Vv]:\w|%[A-Z_][A-Z\d_]{2,}%|<%[^%]*%>|\[\[[A-Za-z][\w.]*\]\]|<[A-Z][A-Z\d_]+>|%\{\w+\}|%\(\w+\)[sd]/

const PRINTED: readonly RegExp[] = [
  // Swift, Rust, Haskell and Dart
  /^(?:Optional|Some|Ok)(?:\(.*\)|\[.*\])$|^Just ".*"$/s,
  /^Instance of '[^']*'$/,
  // .NET
  /^System\.(?:[\w.]+(?:`\d+)?\[.*\]|(?:[\w]+\.)*(?:Object|String|DateTime|Stream|MemoryStream|FileStream|Task))$/s,
  // Java, with the hash of the object
  /^(?:\[+[A-Z]|(?:\[+L)?(?:[a-z][\w$]*\.)+[A-Z][\w$.]*;?)@(?=[a-f]*\d)[\da-f]{1,8}$/,
  /^[A-Z][\w$]*@(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,8}$/,
  // Python and Ruby
  /^<.*\b(?:at |:)0x[\da-f]+.*>$/is,
  /^#<.*>$/s,
  // JavaScript
  /^(?:async )?(?:function\b *\w*\(|\([\w, ]*\) *=>)/,
  /^(?:Map|Set)\(\d+\) \{.*\}$|^Promise \{.*\}$|^Symbol\(\w*\)$|^\[(?:Async)?Function(?:: \w+| \(anonymous\))\]$/s,
  // Go
  /^%!\w\(.*\)$|^&\{.*\}$/s,
  // PHP
  /^(?:Array|\w+ Object)\s*\(.*=>.*\)\s*$/s,
  // A dictionary, a map, a list or a record of Python, Ruby, Java, Go, Swift or PHP
  /^\{ *(?:'[^']*'|"[^"]*"|:?\w+) *(?::|=>|=)[^/].*\}$/s,
  /^\[ *(?:'[^']*'|"[^"]*") *(?::|=>).*\]$/s,
  /^\[ *\{.*\} *\]$/s,
  /^map\[.*\]$/s,
  /^[A-Z]\w*(?:\(| ?\{) ?[A-Za-z_]\w*(?: ?= ?|: ?)[^)}]*[)}]$/s,
  /^\[ *(?:'[^']*'(?:, *)?)+\]$/,
]

export function isPrinted(text: string): boolean {
  return jsonIn(text) === undefined && PRINTED.some((form) => form.test(text))
}

const KEY = /(?:'([\w[\]]+)'|"([\w[\]]+)"|\b(\w+)) *(?::|=>|=)/g

export function printedKeys(text: string): string[] {
  if (text.length > LONGEST_TEXT || !isPrinted(text)) return []
  return Array.from(text.matchAll(KEY), ([, single, double, bare]) => single ?? double ?? bare ?? '')
}

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/
const CODE_UNIT = /\\{1,2}(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([89a-fA-F][\da-fA-F]))/g
const PERCENT = /(.?)(?:%[\da-fA-F]{2})+/gs

function unescaped(text: string): string | undefined {
  let meant = ENTITY.test(text) ? decodeHTMLStrict(text) : text
  meant = meant.replaceAll(CODE_UNIT, (written, ...hex: (string | undefined)[]) => {
    const code = Number.parseInt(hex.slice(0, 4).join(''), 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : written
  })
  if (Array.from(text.matchAll(PERCENT)).some(([all, before = '']) => isEscape(all.slice(before.length), before)))
    meant = safeDecodeURIComponent(meant)
  return meant === text ? undefined : (unescaped(meant) ?? meant)
}

/** Letters and digits need no escape, and `50%20` may be two numbers. */
function isEscape(written: string, before: string): boolean {
  const decoded = safeDecodeURIComponent(written)
  return decoded !== written && !/^[\w.~-]/.test(decoded) && (!/\d/.test(before) || written.length > 3)
}

const scripts = (...names: readonly string[]) => names.map((name) => `\\p{Script=${name}}`).join('')

/** Invisible characters, and the texts in which they are ordinary. */
const INVISIBLE: readonly (readonly [characters: RegExp, ordinaryIn?: RegExp])[] = [
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
  // Where lines may break
  [/\u200b/g, new RegExp(`[${scripts('Balinese', 'Javanese', 'Khmer', 'Lao', 'Myanmar', 'Thai', 'Tibetan')}]`, 'u')],
  // Marks, embeddings and isolates of direction
  [
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    new RegExp(`[${scripts('Arabic', 'Hebrew', 'Nko', 'Syriac', 'Thaana')}]`, 'u'),
  ],
  // Variants of signs, and the letters of flags
  [/[\ufe0e\ufe0f\u{e0020}-\u{e007f}]/gu, /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}]/u],
]
const MAY_BE_INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

function withoutInvisible(text: string): string | undefined {
  if (!MAY_BE_INVISIBLE.test(text)) return undefined
  const seen = INVISIBLE.reduce(
    (one, [characters, ordinaryIn]) => (ordinaryIn?.test(text) ? one : one.replaceAll(characters, '')),
    text,
  )
  return seen === text ? undefined : seen
}
