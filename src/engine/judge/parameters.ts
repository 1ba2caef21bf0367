import type { TObject, TSchema } from '@sinclair/typebox'
import type { Contract } from '../contract/contract.js'
import { type FileEntry, isFile } from '../contract/fields.js'
import { lettersApart, wordsIn } from '../contract/nearest.js'
import { safeDecodeURIComponent } from './decode.js'
import { repairValue } from './repair.js'

export type RequestPart = 'path' | 'query' | 'form'

export interface SentField {
  readonly contract: Contract
  readonly part: RequestPart
  readonly name: string
  readonly value: unknown
}

export interface Parameter {
  readonly part: RequestPart
  readonly name: string
  readonly schema: TSchema
  readonly isRequired: boolean
  readonly words: readonly string[]
  /** Parameters that differ only in the last number of their names, such as `tag[1]` and `tag[2]`; includes itself. */
  readonly series: readonly Parameter[]
}

const parametersByContract = new WeakMap<Contract, ReadonlyMap<string, Parameter>>()

export function parametersOf(contract: Contract): ReadonlyMap<string, Parameter> {
  const known = parametersByContract.get(contract)
  if (known !== undefined) return known
  const parts = [
    ['path', contract.params],
    ['query', contract.query],
    ['form', contract.form],
  ] as const
  const all = parts.flatMap(([part, schema]) => parametersIn(part, schema))
  const byPlace = new Map(all.map((one) => [`${one.part}.${one.name}`, one]))
  parametersByContract.set(contract, byPlace)
  return byPlace
}

function parametersIn(part: RequestPart, schema: TObject | undefined): readonly Parameter[] {
  const { properties = {}, required = [] } = schema ?? {}
  const byStem = new Map<string, Parameter[]>()
  return Object.entries<TSchema>(properties).map(([name, property]) => {
    const series = byStem.get(stemOf(name)) ?? []
    const isRequired = required.includes(name)
    const parameter = { part, name, schema: property, isRequired, words: wordsOf(name), series }
    series.push(parameter)
    byStem.set(stemOf(name), series)
    return parameter
  })
}

export function fileParameterOf(contract: Contract): Parameter | undefined {
  const [file, ...more] = [...parametersOf(contract).values()].filter(({ schema }) => isFile(schema))
  return more.length === 0 ? file : undefined
}

export interface Meaning {
  readonly kind: 'misnamed' | 'misplaced' | 'too-many'
  readonly parameter: Parameter
}

export function findMeaning({ contract, part, name: sentName, value }: SentField): Meaning | undefined {
  const file = part === 'form' && isUpload(value) ? fileParameterOf(contract) : undefined
  if (file !== undefined && sentName !== file.name) return { kind: 'misnamed', parameter: file }
  if (sentName.length > LONGEST_NAME) return undefined
  // `list%5B0%5D[email]`, or the `amp;` of a URL copied out of HTML.
  const name = safeDecodeURIComponent(sentName).replace(/^(?:amp;)+/, '')
  const all = [...parametersOf(contract).values()]
  const ofPart = all.filter((one) => one.part === part)
  const others = all.filter((one) => one.part !== part && one.part !== 'path')
  const as = (kind: Meaning['kind'], parameter: Parameter | undefined) => parameter && { kind, parameter }
  const hasName = (one: Parameter) => one.name === name
  const last = ofPart.findLast((one) => numberOf(one.name) !== undefined && stemOf(one.name) === stemOf(name))
  const isBeyondLast = last !== undefined && (numberOf(name) ?? 0) > (numberOf(last.name) ?? 0)
  const near = () => nearestOf(name, ofPart, [...SAME_WORDS, ...TYPOS])
  return (
    as('misnamed', ofPart.find(hasName)) ??
    as('misplaced', others.find(hasName)) ??
    as('too-many', isBeyondLast ? last : undefined) ??
    as('misnamed', preferMatchingEnum(value, near(), ofPart)) ??
    as('misplaced', nearestOf(name, others, SAME_WORDS))
  )
}

/** A file under any name; a Blob of JSON is no file. */
export function isUpload(value: unknown): value is FileEntry {
  const { filename, mimetype = '' } = Object(value) as Partial<FileEntry>
  return typeof filename === 'string' && !/^application\/json\b/i.test(mimetype)
}

const LONGEST_NAME = 200

/** If one other parameter alone allows the value, prefers it: `order_by=desc` means `order`. */
function preferMatchingEnum(value: unknown, near: Parameter | undefined, ofPart: readonly Parameter[]) {
  const lists = ({ schema }: Parameter) => Array.isArray(schema.enum) && repairValue(value, schema) !== undefined
  if (near === undefined || !Array.isArray(near.schema.enum) || lists(near)) return near
  const [other, ...more] = ofPart.filter(lists)
  return more.length === 0 ? (other ?? near) : near
}

export function byNumber(one: string, other: string): number {
  return (numberOf(one) ?? 0) - (numberOf(other) ?? 0)
}

/** `team_id` and `team_uuid` identify different things. */
export function isOtherIdentifier(name: string, other: string): boolean {
  const [kind, otherKind] = [name, other].map((one) => /u?u?id(?=\]?$)/i.exec(one)?.[0].toLowerCase())
  return kind !== undefined && otherKind !== undefined && kind !== otherKind
}

/** True for a name that contains all words of a documented name: `sort_by` for `sort`. */
export function containsDocumentedName(contract: Contract, name: string): boolean {
  const lowerCaseWords = (one: string) => wordsIn(one).map((word) => word.toLowerCase())
  const words = lowerCaseWords(name.slice(0, LONGEST_NAME))
  const known = [...parametersOf(contract).values()].filter(({ part }) => part !== 'path')
  return known.some((one) => lowerCaseWords(one.name).every((word) => words.includes(word)))
}

const LAST_NUMBER = /(?<!\d)\d+(?=\D*$)/

function stemOf(name: string): string {
  return name.replace(LAST_NUMBER, '#')
}

function numberOf(name: string): number | undefined {
  const [number] = LAST_NUMBER.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

type Likeness = (sent: readonly string[], known: readonly string[]) => boolean

const SAME_WORDS: readonly Likeness[] = [
  // `list.0.mail`, `firstName`
  (sent, known) => known.join('') === sent.join(''),
  // `sort_by` for `sort`
  (sent, known) => sent.length === 1 && sent[0] === `${known.join('')}by`,
  // `person[role]` for `list[0][role]`
  (sent, known) => known.length > 1 && known.at(-1) === sent.at(-1),
  // `list[0][last_name]` for `last_name`
  (sent, known) => known.length === 1 && sent.length > 1 && known[0] === sent.at(-1),
  // `tag[]`, `tags`; but `date` is not `data`
  ([word = '', ...more], [first = '', ...rest]) =>
    more.length === 0 && rest.length > 0 && (word === first || (first.length >= LONG_WORD && isTypo(word, first))),
]

/** A mistyped last word: `list[0][rolle]`; or a long word alone: `department_uuid` for `list[0][department_id]`. */
const TYPOS: readonly Likeness[] = [
  (sent, known) => sent.slice(0, -1).join() === known.slice(0, -1).join() && isTypo(sent.at(-1), known.at(-1)),
  (sent, known) => sent.length === 1 && (known.at(-1)?.length ?? 0) >= LONG_WORD && isTypo(sent[0], known.at(-1)),
]

function nearestOf(name: string, known: readonly Parameter[], likenesses: readonly Likeness[]): Parameter | undefined {
  const words = wordsOf(name)
  for (const isLike of likenesses) {
    const found = known.filter((one) => isLike(words, one.words))
    if (found.length > 0) return found.find((one) => numberOf(one.name) === numberOf(name)) ?? found[0]
  }
  return undefined
}

/** A word of this length may differ in two letters. */
const LONG_WORD = 7
/** A shorter word inside another is a different word. */
const SHORT_WORD = 4

function isTypo(word = '', known = ''): boolean {
  if (word === known) return true
  const shorter = Math.min(word.length, known.length)
  const most = Math.max(word.length, known.length) >= LONG_WORD ? 2 : 1
  if (lettersApart(word, known) > most || shorter < SHORT_WORD - 1) return false
  return word[0] === known[0] || (shorter >= SHORT_WORD && (word.includes(known) || known.includes(word)))
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[.[\]]+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '')
}
