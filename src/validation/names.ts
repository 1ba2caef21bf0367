import type { TSchema } from '@sinclair/typebox'
import { type Cites, citesOf } from '../../schemas/cites.js'
import type { Contract } from '../../schemas/contract.js'
import { lettersApart } from '../text/nearest.js'
import { unescaped } from '../text/unescaped.js'
import { quote } from '../text/wording.js'
import { repaired } from './repair.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The parts of a request whose names a client may get wrong. */
export type NamedPart = 'query' | 'form'

interface NameInPart {
  readonly part: NamedPart
  readonly name: string
}

/** What a name that the document does not know was meant to be. */
export type Meant =
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'misnamed' | 'misplaced' | 'too-many' } & NameInPart)

/**
 * The documented name that an undocumented one stands for: one of another part, one too many, or nearly another.
 * `value` is what was sent under it.
 */
export function meantBy(sentName: string, value: unknown, contract: Contract, part: NamedPart): Meant {
  const name = plain(sentName)
  const known = namesOf(contract, part)
  if (known.includes(name)) return { kind: 'misnamed', part, name }
  const other = part === 'query' ? 'form' : 'query'
  if (Object.hasOwn(contract[other]?.properties ?? {}, name)) return { kind: 'misplaced', part: other, name }
  const last = lastOfSeries(name, known)
  if (last !== undefined) return { kind: 'too-many', part, name: last }
  const near = alike(name, known)
  if (near !== undefined) return { kind: 'misnamed', part, name: takerOf(value, near, contract, part) }
  const elsewhere = sameWords(name, namesOf(contract, other))
  return elsewhere === undefined ? { kind: 'unknown' } : { kind: 'misplaced', part: other, name: elsewhere }
}

/** A name without what was escaped once too often: `data%5B0%5D[email]`, and `amp;page` of a URL copied out of HTML. */
function plain(name: string): string {
  return unescaped(name).replace(/^(?:amp;)+/, '')
}

/** A name, or the one other of its part that lists the value that was sent, where its own list has no such value. */
function takerOf(value: unknown, name: string, contract: Contract, part: NamedPart): string {
  const properties: Readonly<Record<string, TSchema>> = contract[part]?.properties ?? {}
  const lists = (schema: TSchema | undefined) => Array.isArray(schema?.enum)
  const own = properties[name]
  if (own === undefined || !lists(own) || repaired(value, own) !== undefined) return name
  const takers = Object.keys(properties).filter(
    (one) => lists(properties[one]) && repaired(value, properties[one] as TSchema) !== undefined,
  )
  return takers.length === 1 ? (takers[0] as string) : name
}

/** Where a part's names stand in violations, what they are called, and how one is sent. */
export const PARTS = {
  query: {
    place: 'query',
    words: 'query parameter',
    kind: 'parameter',
    send: (name: string) => `in the query: ?${name}=…`,
  },
  form: { place: 'form', words: 'form field', kind: 'field', send: (name: string) => `in the form: -F '${name}=…'` },
} as const

/** A name that the document does not know in a part of a request, and what was sent under it. */
export interface UnknownName {
  readonly name: string
  readonly value: unknown
  readonly part: NamedPart
  /** What is sent beside it. */
  readonly beside?: readonly string[]
}

/** The violation of an unknown name; one that stands for no other rests on `unknownCites`. */
export function unknownName(
  { name, value, part, beside = [] }: UnknownName,
  contract: Contract,
  unknownCites: Cites = ['I-12'],
): Violation {
  const { place, words, kind } = PARTS[part]
  const where = `${place}.${name}`
  const subject = `The ${words} ${quote(name)} is not documented for ${contract.id}`
  const meant = meantBy(name, value, contract, part)
  switch (meant.kind) {
    case 'unknown':
      return violationOf({ code: `unknown-${kind}`, message: `${subject}.`, where, fix: 'Leave it out.' }, unknownCites)
    case 'misplaced': {
      const fix = `Send it ${PARTS[meant.part].send(meant.name)}.`
      const message = `${subject}: '${meant.name}' is a ${PARTS[meant.part].words}.`
      return suspicionOf({ code: `misplaced-${kind}`, message, where, fix })
    }
    case 'too-many': {
      const most = namesOf(contract, part).filter((one) => stemOf(one) === stemOf(name)).length
      const message = `${subject}: ${most === 1 ? `there is only '${meant.name}'` : `there are at most ${most}, up to '${meant.name}'`}.`
      const fix = most === 1 ? `Write '${meant.name}', one per call.` : 'Leave it out.'
      return violationOf({ code: `too-many-${kind}s`, message, where, fix }, seriesCites(contract, part, meant.name))
    }
    case 'misnamed': {
      const message = `${subject}: it is called '${meant.name}'.`
      return suspicionOf({ code: `misnamed-${kind}`, message, where, fix: renaming(name, meant.name, beside) })
    }
  }
}

/** The place that a misnamed or misplaced parameter should have been sent in; `sent` are the parts of its request. */
export function meantPlaceOf(
  { code, where }: Violation,
  contract: Contract,
  sent: Readonly<Record<NamedPart, object | null>>,
): string | undefined {
  if (!/^mis(?:named|placed)-/.test(code)) return undefined
  const part = where.startsWith('query.') ? 'query' : 'form'
  const name = where.slice(PARTS[part].place.length + 1)
  const meant = meantBy(name, (sent[part] as Readonly<Record<string, unknown>> | null)?.[name], contract, part)
  return meant.kind === 'unknown' ? undefined : `${PARTS[meant.part].place}.${meant.name}`
}

/** Whether two names are of different identifiers, such as `organization_id` and `organization_uuid`. */
export function isOtherIdentifier(name: string, other: string): boolean {
  const [kind, otherKind] = [name, other].map((one) => /u?u?id(?=\]?$)/i.exec(one)?.[0].toLowerCase())
  return kind !== undefined && otherKind !== undefined && kind !== otherKind
}

/** How to fix a name; in a series whose right name is already sent, the count continues from the first. */
function renaming(sent: string, name: string, beside: readonly string[]): string {
  if (beside.includes(name)) return `Continue the count from '${name}', which is also sent.`
  if (isOtherIdentifier(sent, name)) return `Write '${name}', with that identifier as the value.`
  const flat = name.includes('[') ? ', including the brackets, as a flat name' : ''
  return `Write '${name}'${flat}.`
}

/** What says how many of a series there are. */
function seriesCites(contract: Contract, part: NamedPart, name: string) {
  const schema = contract[part] as TSchema
  return citesOf(schema) ?? citesOf(schema.properties[name] ?? {}) ?? contract.cites
}

function namesOf(contract: Contract, part: NamedPart): readonly string[] {
  return Object.keys(contract[part]?.properties ?? {})
}

/** The last of the names that a name would come after: `keyword[sample_4]` after `keyword[sample_3]`. */
function lastOfSeries(name: string, known: readonly string[]): string | undefined {
  const number = numberOf(name)
  const last = known.filter((one) => stemOf(one) === stemOf(name) && numberOf(one) !== undefined).at(-1)
  return number !== undefined && last !== undefined && number > (numberOf(last) as number) ? last : undefined
}

/** The names of the series that a name belongs to, such as all keywords. */
export function seriesOf(name: string, contract: Contract, part: NamedPart): readonly string[] {
  return namesOf(contract, part).filter((one) => stemOf(one) === stemOf(name))
}

/** The name that each of some sent names has where a series is counted from another number than the document's first. */
export function counted(names: readonly string[], contract: Contract, part: NamedPart): ReadonlyMap<string, string> {
  const shifted = new Map<string, string>()
  for (const name of names) {
    const series = seriesOf(name, contract, part)
    const first = numberOf(series[0] ?? '')
    if (series.length < 2 || first === undefined || (numberOf(name) as number) >= first) continue
    const sent = names
      .filter((one) => stemOf(one) === stemOf(name))
      .sort((one, other) => numberIn(one) - numberIn(other))
    for (const [at, one] of sent.slice(0, series.length).entries()) shifted.set(one, series[at] as string)
  }
  return shifted
}

const numberIn = (name: string) => numberOf(name) ?? 0

/** Whether an unknown name has all the words of a documented one, so that it may stand for it: `sort_by` for `sort`. */
export function holdsName(name: string, contract: Contract): boolean {
  const words = partsOf(name)
  return (['query', 'form'] as const).some((part) =>
    namesOf(contract, part).some((one) => partsOf(one).every((word) => words.includes(word))),
  )
}

function partsOf(name: string): string[] {
  return name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
}

const LAST_NUMBER = /\d+(?!.*\d)/

/** A name with `#` for its last number. */
function stemOf(name: string): string {
  return name.replace(LAST_NUMBER, '#')
}

function numberOf(name: string): number | undefined {
  const [number] = LAST_NUMBER.exec(name) ?? []
  return number === undefined ? undefined : Number(number)
}

function alike(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name)
  return (
    sameWords(name, known) ??
    known.find((one) => isSlipOf(words, wordsOf(one))) ??
    // `organization_uuid` for `data[0][organization_id]`.
    known.find((one) => (wordsOf(one).at(-1)?.length ?? 0) >= LONG && isSlipOf(words, wordsOf(one).slice(-1)))
  )
}

/**
 * The documented name with the same words, whatever stands between them (`data.0.email`, `data[email]`, `keyword[]`,
 * `firstName`), or with the same last word (`member[role]`), or the same first one where it has no other.
 */
function sameWords(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name)
  if (words.length === 0) return undefined
  const fits: readonly ((one: readonly string[]) => boolean)[] = [
    (one) => one.join('') === words.join(''),
    (one) => one.length > 1 && one.at(-1) === words.at(-1),
    (one) => one.length === 1 && words.length > 1 && one[0] === words.at(-1),
    // A short word that is nearly another may be one of its own: `date` is no slip of `data`.
    ([first = '', ...more]) =>
      more.length > 0 &&
      words.length === 1 &&
      (words[0] === first || (first.length >= LONG && isSlip(words[0] as string, first))),
  ]
  for (const isNear of fits) {
    const found = known.filter((one) => isNear(wordsOf(one)))
    if (found.length > 0) return found.find((one) => numberOf(one) === numberOf(name)) ?? found[0]
  }
  return undefined
}

/** Whether the last words are nearly the same, and all before them are the same. */
function isSlipOf(words: readonly string[], known: readonly string[]): boolean {
  const [last = '', knownLast = ''] = [words.at(-1), known.at(-1)]
  return words.slice(0, -1).join() === known.slice(0, -1).join() && isSlip(last, knownLast)
}

/** Letters from which on two of a word may differ, and below which a word within another is a word of its own. */
const LONG = 7
const SHORT = 4

/** Whether a word is surely another one, mistyped: `rolle`, `mail` for `email`. A guess is no accusation. */
function isSlip(word: string, known: string): boolean {
  if (word === known) return true
  const shorter = Math.min(word.length, known.length)
  const most = Math.max(word.length, known.length) >= LONG ? 2 : 1
  if (lettersApart(word, known) > most || shorter < SHORT - 1) return false
  return word[0] === known[0] || (shorter >= SHORT && (word.includes(known) || known.includes(word)))
}

/** The words of a name between dots and brackets, their letters alone. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[.[\]]+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '')
}
