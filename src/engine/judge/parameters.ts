import type { TObject, TSchema } from '@sinclair/typebox'
import type { Contract } from '../contract/contract.js'
import { type FileEntry, isFile } from '../contract/fields.js'
import { editDistance, wordsIn } from '../contract/nearest.js'
import { safeDecodeURIComponent } from './decode.js'

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
  const cached = parametersByContract.get(contract)
  if (cached !== undefined) return cached
  const { params, query, form } = contract
  const all = [...parametersIn('path', params), ...parametersIn('query', query), ...parametersIn('form', form)]
  const byField = new Map(all.map((parameter) => [`${parameter.part}.${parameter.name}`, parameter]))
  parametersByContract.set(contract, byField)
  return byField
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

export interface IntendedParameter {
  /** Without the last word, `parameter` or `field`, for which `*` stands. */
  readonly kind: 'misnamed-*' | 'misplaced-*' | 'too-many-*s'
  readonly parameter: Parameter
}

export function findIntendedParameter(sent: SentField): IntendedParameter | undefined {
  const { contract, part, name: sentName, value } = sent
  const file = part === 'form' ? fileParameterOf(contract) : undefined
  const isForFile = file && (isUpload(value) ? sentName !== file.name : hasKey(sentName, file))
  if (isForFile) return { kind: 'misnamed-*', parameter: file }
  if (sentName.length > LONGEST_NAME) return undefined
  // Undoes a second escape (`list%5B0%5D[email]`), and drops the `amp;` of a URL copied out of HTML.
  const name = safeDecodeURIComponent(sentName).replace(/^(?:amp;)+/, '')
  const all = [...parametersOf(contract).values()]
  const inPart = all.filter((parameter) => parameter.part === part)
  const elsewhere = all.filter((parameter) => parameter.part !== part && parameter.part !== 'path')
  const as = (kind: IntendedParameter['kind'], parameter: Parameter | undefined) => parameter && { kind, parameter }
  const hasName = (parameter: Parameter) => parameter.name === name
  const last = inPart.findLast((one) => lastNumberIn(one.name) !== undefined && stemOf(one.name) === stemOf(name))
  const isBeyondLast = last !== undefined && (lastNumberIn(name) ?? 0) > (lastNumberIn(last.name) ?? 0)
  const withKey = inPart.find((parameter) => hasKey(name, parameter))
  const pagingParameter = inPart.find((parameter) => parameter.name === pagingNameFor(sent))
  return (
    as('misnamed-*', inPart.find(hasName)) ??
    as('misplaced-*', elsewhere.find(hasName)) ??
    as('too-many-*s', isBeyondLast ? last : undefined) ??
    as('misnamed-*', pagingParameter) ??
    as('misnamed-*', nearestParameter(name, inPart, [...SAME_WORDS, ...TYPOS])) ??
    as('misplaced-*', nearestParameter(name, elsewhere, SAME_WORDS)) ??
    as('misnamed-*', withKey)
  )
}

/** True for a name such as `sort[price]`, but not for `page[number]`. */
export function hasKey(sentName: string, { name }: Parameter): boolean {
  return sentName.startsWith(`${name}[`) && /^\[(?!number\]|offset\])[^\d\]]+\]$/.test(sentName.slice(name.length))
}

/** True for a file part, except a Blob of JSON. */
export function isUpload(value: unknown): value is FileEntry {
  const { filename, mimetype = '' } = Object(value) as Partial<FileEntry>
  return typeof filename === 'string' && !/^application\/json\b/i.test(mimetype)
}

const LONGEST_NAME = 200

/** The name of the paging parameter that a name such as `limit`, `page[size]` or `p` means. */
function pagingNameFor({ contract: { paging }, name: sentName, value }: SentField): string | undefined {
  if (!/^[1-9]\d*$/.test(String(value))) return undefined
  const name = wordsOf(sentName).join('')
  if (/^(?:limit|take|(?:page)?(?:size|count|limit))$/.test(name)) return paging?.perPage
  return /^p(?:age)?(?:no|nr|num|number)?$/.test(name) ? paging?.page : undefined
}

/** True if an id was sent where a UUID is expected, or a UUID where an id is: `team_id` is not `team_uuid`. */
export function isWrongKindOfId(sentName: string, name: string, value: unknown): boolean {
  const [kind, otherKind] = [sentName, name].map((one) => /u?u?id(?=\]?$)/i.exec(one)?.[0].toLowerCase())
  const isUuid = /^[\s{]*[0-9a-f]{8}-/i.test(String(value))
  return kind !== undefined && otherKind !== undefined && kind !== otherKind && isUuid !== (otherKind === 'uuid')
}

/** True for a name that contains all words of a documented name: `sort_by` for `sort`. */
export function containsDocumentedName(contract: Contract, name: string): boolean {
  const lowerCaseWords = (text: string) => wordsIn(text).map((word) => word.toLowerCase())
  const words = lowerCaseWords(name.slice(0, LONGEST_NAME))
  const documented = [...parametersOf(contract).values()].filter(({ part }) => part !== 'path')
  return documented.some((one) => lowerCaseWords(one.name).every((word) => words.includes(word)))
}

const LAST_NUMBER = /(?<!\d)\d+(?=\D*$)/

function stemOf(name: string): string {
  return name.replace(LAST_NUMBER, '#')
}

export function lastNumberIn(name: string): number | undefined {
  const [number] = LAST_NUMBER.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

type WordMatcher = (sent: readonly string[], documented: readonly string[]) => boolean

const SAME_WORDS: readonly WordMatcher[] = [
  // `firstName` for `first_name`
  (sent, documented) => documented.join('') === sent.join(''),
  // `sort_by` for `sort`
  (sent, documented) => sent.length === 1 && sent[0] === `${documented.join('')}by`,
  // `person[role]` for `list[0][role]`
  (sent, documented) => documented.length > 1 && documented.at(-1) === sent.at(-1),
  // `list[0][last_name]` for `last_name`
  (sent, documented) => documented.length === 1 && sent.length > 1 && documented[0] === sent.at(-1),
  // `department[]` or `departments` for `department[name]`; not `date` for `data[name]`
  ([word = '', ...more], [first = '', ...rest]) =>
    more.length === 0 && rest.length > 0 && (word === first || (first.length >= LONG_WORD && isTypo(word, first))),
]

/** A mistyped last word: `list[0][rolle]`; or a long word alone: `department_uuid` for `list[0][department_id]`. */
const TYPOS: readonly WordMatcher[] = [
  (sent, names) => sent.slice(0, -1).join() === names.slice(0, -1).join() && isTypo(sent.at(-1), names.at(-1)),
  (sent, names) => sent.length === 1 && (names.at(-1)?.length ?? 0) >= LONG_WORD && isTypo(sent[0], names.at(-1)),
]

function nearestParameter(name: string, parameters: readonly Parameter[], matchers: readonly WordMatcher[]) {
  const words = wordsOf(name)
  for (const matches of matchers) {
    const matching = parameters.filter((parameter) => matches(words, parameter.words))
    if (matching.length > 0) return matching.find((one) => lastNumberIn(one.name) === lastNumberIn(name)) ?? matching[0]
  }
  return undefined
}

/** A word of this length may differ in two letters. */
const LONG_WORD = 7
/** Shorter words must have the same first letter. */
const SHORT_WORD = 4

function isTypo(word = '', documented = ''): boolean {
  if (word === documented) return true
  const shorter = Math.min(word.length, documented.length)
  const most = Math.max(word.length, documented.length) >= LONG_WORD ? 2 : 1
  if (editDistance(word, documented) > most || shorter < SHORT_WORD - 1) return false
  const isContained = shorter >= SHORT_WORD && (word.includes(documented) || documented.includes(word))
  return word[0] === documented[0] || isContained
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[.[\]]+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '')
}
