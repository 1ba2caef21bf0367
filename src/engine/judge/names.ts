import type { TSchema } from '@sinclair/typebox'
import { type Cites, citesOf } from '../contract/cites.js'
import { type Contract, filesOf } from '../contract/contract.js'
import { groupBy } from '../contract/group-by.js'
import { flatTexts } from '../contract/json.js'
import { lettersApart, wordsIn } from '../contract/nearest.js'
import { quote } from '../contract/wording.js'
import { safeDecodeURIComponent } from './decode.js'
import type { FileEntry } from './received-request.js'
import { repairValue } from './repair.js'
import { jsonIn, printedKeys } from './text.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The parts of a request with names that a client may get wrong. */
export type NamedPart = 'query' | 'form'

/** The documented name that an undocumented one stands for. */
export type MeantName =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'misnamed' | 'misplaced' | 'too-many'
      readonly part: NamedPart
      readonly name: string
    }

export function findMeantName(sentName: string, value: unknown, contract: Contract, part: NamedPart): MeantName {
  const [file, ...files] = part === 'form' && isUpload(value) ? filesOf(contract) : []
  if (file !== undefined && files.length === 0 && sentName !== file) return { kind: 'misnamed', part, name: file }
  if (sentName.length > LONGEST_NAME) return { kind: 'unknown' }
  const name = plainName(sentName)
  const known = namesOf(contract, part)
  if (known.includes(name)) return { kind: 'misnamed', part, name }
  const other = part === 'query' ? 'form' : 'query'
  const others = namesOf(contract, other)
  if (others.includes(name)) return { kind: 'misplaced', part: other, name }
  const last = indexedNames(name, contract, part).findLast((one) => numberOf(one) !== undefined)
  if (last !== undefined && (numberOf(name) ?? 0) > (numberOf(last) ?? 0)) return { kind: 'too-many', part, name: last }
  const near = nearestName(name, known, [...SAME_WORDS, ...SLIPS])
  if (near !== undefined) return { kind: 'misnamed', part, name: nameForValue(value, near, contract, part) }
  const elsewhere = nearestName(name, others, SAME_WORDS)
  return elsewhere === undefined ? { kind: 'unknown' } : { kind: 'misplaced', part: other, name: elsewhere }
}

/** True for a documented name; but not for that of a text that was sent with the file, which has another one. */
export function isDocumented(
  name: string,
  sent: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: NamedPart,
): boolean {
  if (!Object.hasOwn(contract[part]?.properties ?? {}, name)) return false
  const { filename, mimetype } = Object(sent[name]) as Partial<FileEntry>
  // A Blob may be a text.
  if (!/^image\/|\/pdf$/.test(mimetype ?? '') && !/\.(?:pdf|png|jpe?g|gif|webp|svg)$/i.test(filename ?? '')) return true
  const files = [...filesOf(contract)]
  return files.length !== 1 || files.some((file) => Object.hasOwn(sent, file))
}

/** A file, under any name, is the one that the operation takes; but a Blob of JSON is not meant as a file. */
function isUpload(value: unknown): boolean {
  const { filename, mimetype = '' } = Object(value) as Partial<FileEntry>
  return typeof filename === 'string' && !/^application\/json\b/i.test(mimetype)
}

function isNameless(value: unknown): boolean {
  return isUpload(value) && (value as FileEntry).filename === ''
}

/** A file that came without a file name, under the name of no file. */
export function namelessFile(name: string, file: string, where: string): Violation {
  const message = `A file without a file name was sent as ${quote(name)}: it is called '${file}', and needs one.`
  const fix = `Send it as a file: -F '${file}=@FILE'.`
  const about = { name, explains: [`form.${file}`], isRepairable: false, rank: 'certain' } as const
  return suspicionOf({ code: 'misnamed-field', message, where, fix, ...about })
}

/** Characters: a longer name stands for no documented one. */
const LONGEST_NAME = 200

/** A name without escapes, as in `list%5B0%5D[email]`, and without the `amp;` of a URL copied out of HTML. */
function plainName(name: string): string {
  return safeDecodeURIComponent(name).replace(/^(?:amp;)+/, '')
}

/** A name, or the only other one that lists the value, if its own list has no such value: `order_by=desc` is an order. */
function nameForValue(value: unknown, name: string, contract: Contract, part: NamedPart): string {
  const properties: Readonly<Record<string, TSchema>> = contract[part]?.properties ?? {}
  const lists = (schema: TSchema) => Array.isArray(schema.enum) && repairValue(value, schema) !== undefined
  const own = properties[name] as TSchema
  if (!Array.isArray(own.enum) || lists(own)) return name
  const [other, ...more] = Object.keys(properties).filter((one) => lists(properties[one] as TSchema))
  return other !== undefined && more.length === 0 ? other : name
}

/** How messages and codes call a name of each part. */
export const PARTS = {
  query: { words: 'query parameter', kind: 'parameter' },
  form: { words: 'form field', kind: 'field' },
} as const

/** The violation of an undocumented name; `beside` are the names sent with it, `cites` rule on names without a meaning. */
export function unknownName(
  contract: Contract,
  { part, name, value }: { readonly part: NamedPart; readonly name: string; readonly value: unknown },
  {
    beside = [],
    cites = [contract.conventions.unknownNames],
  }: { readonly beside?: readonly string[]; readonly cites?: Cites | undefined },
): Violation {
  const meant = findMeantName(name, value, contract, part)
  const about = { name, explains: meant.kind === 'unknown' ? [] : [`${meant.part}.${meant.name}`] }
  const { words, kind } = PARTS[part]
  const where = `${part}.${name}`
  const subject = `The ${words} ${quote(name)} is not documented for ${contract.id}`
  switch (meant.kind) {
    case 'unknown':
      return violationOf(
        { code: `unknown-${kind}`, message: `${subject}.`, where, fix: 'Leave it out.', ...about },
        cites,
      )
    case 'misplaced': {
      const fix =
        meant.part === 'query'
          ? `Send it in the query: ?${meant.name}=….`
          : `Send it in the form: -F '${meant.name}=…'.`
      const message = `${subject}: '${meant.name}' is a ${PARTS[meant.part].words}.`
      return suspicionOf({ code: `misplaced-${kind}`, message, where, fix, ...about })
    }
    case 'too-many': {
      const most = indexedNames(name, contract, part).length
      const message = `${subject}: ${most === 1 ? `there is only '${meant.name}'` : `there are at most ${most}, up to '${meant.name}'`}.`
      const fix = most === 1 ? `Send one entry per call, as '${meant.name}'.` : 'Leave it out.'
      const schema = contract[part] as TSchema
      const limit = citesOf(schema) ?? citesOf(schema.properties[meant.name]) ?? contract.cites
      return violationOf({ code: `too-many-${kind}s`, message, where, fix, ...about }, limit)
    }
    case 'misnamed': {
      if (isNameless(value)) return namelessFile(name, meant.name, where)
      const isSeries = indexedNames(meant.name, contract, part).length > 1
      const own = isSeries ? placesIn(meant.name, { name, value, beside }, contract, part) : [meant.name]
      const called = own.length > 1 ? `its values are called '${own.join("' and '")}'` : `it is called '${own[0]}'`
      const message = isUpload(value)
        ? `A file was sent as ${quote(name)}: it is called '${meant.name}'.`
        : `${subject}: ${called}.`
      const taken = `'${meant.name}' is already sent: ${isSeries ? 'use the next number' : 'leave this one out'}.`
      const many = `Write '${own.join("' and '")}', one for each value.`
      const fix = beside.includes(own[0] as string) ? taken : own.length > 1 ? many : renaming(name, own[0] as string)
      return suspicionOf({ code: `misnamed-${kind}`, message, where, fix, rank: 'certain', ...about })
    }
  }
}

/** Names of a request among which the n-th is counted. */
const MOST_COUNTED = 20

/** Orders names by their last numbers, those without one first. */
export function byNumber(one: string, other: string): number {
  return (numberOf(one) ?? 0) - (numberOf(other) ?? 0)
}

/** The names of a series for the values of a name: the n-th that is sent under any other name is the n-th. */
function placesIn(
  meant: string,
  { name, value, beside }: { readonly name: string; readonly value: unknown; readonly beside: readonly string[] },
  contract: Contract,
  part: NamedPart,
): readonly string[] {
  const series = indexedNames(meant, contract, part)
  if (beside.length > MOST_COUNTED) return [meant]
  const free = series.filter((one) => !beside.includes(one))
  const alike = beside.filter((one) => {
    const other = series.includes(one) ? undefined : findMeantName(one, '', contract, part)
    return other?.kind === 'misnamed' && series.includes(other.name)
  })
  const at = alike.sort(byNumber).indexOf(name)
  const own = free.slice(Math.max(at, 0), Math.max(at, 0) + [value].flat().length)
  return own.length === 0 ? [meant] : own
}

/** Characters: longer JSON is not looked through. */
const LONGEST_JSON = 10_000

const OBJECTS = /^\[object Object\](?:,\[object Object\])*$/

/** The documented names that the values of JSON, or of a printed dictionary, in a field or a parameter have. */
export function namesInside(
  name: string,
  value: unknown,
  contract: Contract,
  part: NamedPart,
): readonly { readonly part: NamedPart; readonly name: string }[] {
  if (typeof value !== 'string' || value.length > LONGEST_JSON) return []
  const json = jsonIn(value)
  // A whole object was printed.
  if (json === undefined && OBJECTS.test(value))
    return namesOf(contract, part).flatMap((own) => (own.startsWith(`${name}[`) ? { part, name: own } : []))
  const pairs =
    json === undefined ? printedKeys(value).map((key) => [`${name}[${key}]`, ''] as const) : flatTexts(json, name)
  return pairs.slice(0, MOST_COUNTED).flatMap(([one, text]) => {
    const meant = findMeantName(one, text, contract, part)
    return meant.kind === 'unknown' ? [] : meant
  })
}

/** `team_id` and `team_uuid` are names of different identifiers. */
export function isOtherIdentifier(name: string, other: string): boolean {
  const [kind, otherKind] = [name, other].map((one) => /u?u?id(?=\]?$)/i.exec(one)?.[0].toLowerCase())
  return kind !== undefined && otherKind !== undefined && kind !== otherKind
}

function renaming(sent: string, name: string): string {
  if (isOtherIdentifier(sent, name)) return `Write '${name}', with that identifier as the value.`
  const flat = name.includes('[') ? ', including the brackets, as one name' : ''
  return `Write '${name}'${flat}.`
}

function namesOf(contract: Contract, part: NamedPart): readonly string[] {
  return Object.keys(contract[part]?.properties ?? {})
}

/** The documented names that differ from a name in their last number at most, such as `tag[1]` and `tag[2]`. */
export function indexedNames(name: string, contract: Contract, part: NamedPart): readonly string[] {
  if (name.length > LONGEST_NAME) return []
  const stem = (one: string) => one.replace(LAST_NUMBER, '#')
  return namesOf(contract, part).filter((one) => stem(one) === stem(name))
}

/** The documented names of a series that was counted from a lower number, by the names that were sent. */
export function recount(names: readonly string[], contract: Contract, part: NamedPart): ReadonlyMap<string, string> {
  const documented = new Map<string, string>()
  const bySeries = groupBy(names, (name) => indexedNames(name, contract, part).join())
  for (const [joined, sent] of bySeries) {
    const series = joined.split(',')
    const first = numberOf(series[0] as string)
    if (series.length < 2 || first === undefined || sent.every((one) => (numberOf(one) ?? first) >= first)) continue
    const inOrder = sent.toSorted(byNumber)
    for (const [at, one] of inOrder.slice(0, series.length).entries()) documented.set(one, series[at] as string)
  }
  return documented
}

/** A name with all words of a documented one may stand for it: `sort_by` for `sort`. */
export function holdsName(name: string, contract: Contract): boolean {
  const lowerCaseWords = (one: string) => wordsIn(one).map((word) => word.toLowerCase())
  const words = lowerCaseWords(name.slice(0, LONGEST_NAME))
  const known = [...namesOf(contract, 'query'), ...namesOf(contract, 'form')]
  return known.some((one) => lowerCaseWords(one).every((word) => words.includes(word)))
}

const LAST_NUMBER = /\d+(?!.*\d)/

function numberOf(name: string): number | undefined {
  const [number] = LAST_NUMBER.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

type Likeness = (sent: readonly string[], known: readonly string[]) => boolean

/** The same words, the surest first. */
const SAME_WORDS: readonly Likeness[] = [
  // `list.0.mail`, `firstName`
  (sent, known) => known.join('') === sent.join(''),
  // `sort_by` for `sort`
  (sent, known) => sent.length === 1 && sent[0] === `${known.join('')}by`,
  // `person[role]` for `list[0][role]`
  (sent, known) => known.length > 1 && known.at(-1) === sent.at(-1),
  // `list[0][last_name]` for `last_name`
  (sent, known) => known.length === 1 && sent.length > 1 && known[0] === sent.at(-1),
  // `tag[]`, `tags`; but `date` is no slip of `data`
  ([word = '', ...more], [first = '', ...rest]) =>
    more.length === 0 && rest.length > 0 && (word === first || (first.length >= LONG && isSlip(word, first))),
]

/** A last word that is mistyped: `list[0][rolle]`; or a long one alone: `department_uuid` for `list[0][department_id]`. */
const SLIPS: readonly Likeness[] = [
  (sent, known) => sent.slice(0, -1).join() === known.slice(0, -1).join() && isSlip(sent.at(-1), known.at(-1)),
  (sent, known) => sent.length === 1 && (known.at(-1)?.length ?? 0) >= LONG && isSlip(sent[0], known.at(-1)),
]

function nearestName(name: string, known: readonly string[], likenesses: readonly Likeness[]): string | undefined {
  const words = wordsOf(name)
  for (const isLike of likenesses) {
    const found = known.filter((one) => isLike(words, documentedWords(one)))
    if (found.length > 0) return found.find((one) => numberOf(one) === numberOf(name)) ?? found[0]
  }
  return undefined
}

/** A word of so many letters may differ in two. */
const LONG = 7
/** A shorter word within another is a different word. */
const SHORT = 4

/** A word that is surely a mistyped other one: `rolle`, or `mail` for `email`. */
function isSlip(word = '', known = ''): boolean {
  if (word === known) return true
  const shorter = Math.min(word.length, known.length)
  const most = Math.max(word.length, known.length) >= LONG ? 2 : 1
  if (lettersApart(word, known) > most || shorter < SHORT - 1) return false
  return word[0] === known[0] || (shorter >= SHORT && (word.includes(known) || known.includes(word)))
}

/** Of each documented name, which are few. */
const knownWords = new Map<string, readonly string[]>()

function documentedWords(name: string): readonly string[] {
  const words = knownWords.get(name) ?? wordsOf(name)
  knownWords.set(name, words)
  return words
}

/** The words between dots and brackets, without anything but letters. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[.[\]]+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '')
}
